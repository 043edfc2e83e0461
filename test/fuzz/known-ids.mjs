// Works with the service as an agency would and writes the ids of what came of it, a dictionary for each kind, for requests
// that are to reach more than a 404: `node known-ids.mjs <url> <key> <directory>`.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const CREATORS = 5;
const [url, key, dir] = process.argv.slice(2);

const call = async (method, path, body, idempotencyKey) => {
  const headers = {
    authorization: `Bearer ${key}`,
    ...(body && { 'content-type': 'application/json' }),
    ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
  };
  const answer = await fetch(url + path, { method, headers, body: body && JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
};

const finished = async (scanId) => {
  for (let looks = 0; looks < 600; looks++) {
    const scan = await call('GET', `/v1/scans/${scanId}`);
    if (scan.finished_at !== null) return;
    await delay(200);
  }
  throw new Error(`${scanId} does not finish`);
};

const me = await call('GET', '/v1/me');
const roster = await call('GET', '/v1/creators?limit=100');
const creators = roster.data
  .filter(({ eligible }) => eligible)
  .slice(0, CREATORS)
  .map(({ id }) => id);
const scans = [];
for (const id of creators) {
  await call('PUT', `/v1/creators/${id}/protection`, { status: 'active' });
  scans.push((await call('POST', `/v1/creators/${id}/scans`, {}, `known-${id}`)).id);
}
for (const id of scans) await finished(id);
const found = await Promise.all(creators.map((id) => call('GET', `/v1/creators/${id}/cases?limit=100`)));
const cases = found.flatMap(({ data }) => data);
const removable = cases.find(({ scan_id }) => scan_id !== null);
if (removable === undefined) throw new Error('no scan has found anything');
const deindexing = await call('POST', `/v1/cases/${removable.id}/deindex-requests`, { provider: 'search' }, 'known');

const ids = {
  workspaces: [me.workspace_id],
  creators: creators.slice(1),
  'creators-to-remove': creators.slice(0, 1),
  scans,
  cases: cases.map(({ id }) => id),
  'deindex-requests': [deindexing.id],
};
mkdirSync(dir, { recursive: true });
for (const [kind, values] of Object.entries(ids)) {
  if (values.length === 0) throw new Error(`there are no ${kind}`);
  writeFileSync(join(dir, `${kind}.dict`), values.map((id) => `"${id}"\n`).join(''));
}
