import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, jest, test } from '@jest/globals';
import type { Creator } from '#client';
import { HOUR } from '#kernel';
import { runTool } from '../../support/tool.js';
import { bodyOf } from '../support/api-client.js';
import { startService } from '../support/start-service.js';

// The backups are files, so these cases are of the embedded stores in each run.
jest.setTimeout(60_000);

const folder = mkdtempSync(join(tmpdir(), 'backup-'));
const service = await startService({ folder: join(folder, 'service') });
const { dataDir } = service.services.config;
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let folders = 0;
const newFolder = () => join(folder, `folder-${++folders}`);

const tool = async <Value>(...words: string[]): Promise<Value> => {
  const { status, stdout, stderr } = await runTool([...words, '--json'], { DATA_DIR: dataDir });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return JSON.parse(stdout) as Value;
};
const refusal = async (words: readonly string[], env: Readonly<Record<string, string>> = { DATA_DIR: dataDir }) => {
  const { status, stdout, stderr } = await runTool([...words, '--json'], env);
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  return JSON.parse(stderr).error as { code: string; message: string };
};
const faultsOf = async (of: string) => {
  const { status, stdout } = await runTool(['backup', 'check', of, '--json'], {});
  const { faults } = JSON.parse(stdout) as { faults: string[] };
  expect(status).toBe(faults.length > 0 ? 1 : 0);
  return faults;
};
const holds = (text: string, of: string) =>
  readdirSync(of, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .filter(({ parentPath, name }) => readFileSync(join(parentPath, name)).includes(text))
    .map(({ name }) => name);

test('D101: a backup that is taken while the service writes is of one moment, and is private', async () => {
  const agency = await service.agency({ slots: 100 });
  const taken: string[] = [];
  let isOver = false;
  const writing = (async () => {
    while (!isOver) await agency.active();
  })();
  for (let n = 0; n < 3; n++) {
    const to = newFolder();
    const { files } = await tool<{ files: string[] }>('backup', '--to', to);
    expect(files).toEqual(
      ['documents.db-counters', 'documents.db', 'personal-keys.db', 'events.db'].filter((name) =>
        existsSync(join(dataDir, name)),
      ),
    );
    taken.push(to);
  }
  isOver = true;
  await writing;
  await service.quiet();
  for (const to of taken) {
    expect(await faultsOf(to)).toEqual([]);
    expect(readdirSync(to).map((name) => statSync(join(to, name)).mode & 0o777)).not.toContain(0o644);
    expect(statSync(to).mode & 0o777).toBe(0o700);
    expect(existsSync(join(to, 'master.key'))).toBe(false);
  }
});

test('D101: the master key is copied on request only, and a folder in use is refused', async () => {
  const to = newFolder();
  await tool('backup', '--to', to, '--with-master-key');
  expect(readFileSync(join(to, 'master.key'))).toEqual(readFileSync(join(dataDir, 'master.key')));
  expect(await refusal(['backup', '--to', to])).toMatchObject({
    code: 'backup_refused',
    message: expect.stringContaining('is in use'),
  });
  expect(await refusal(['backup', 'restore', '--from', to])).toMatchObject({
    code: 'backup_refused',
    message: `${dataDir} is in use: stop all processes of the service, and repeat the command`,
  });
  expect(await refusal(['backup', '--to', newFolder()], { DATA_DIR: newFolder() })).toMatchObject({
    code: 'backup_refused',
  });
  expect(await refusal(['backup'])).toMatchObject({ code: 'invalid_request' });
  const location = 'mongodb://admin:hunter2@127.0.0.1/svc';
  for (const words of [
    ['--to', location],
    ['check', location],
    ['restore', '--from', location],
  ]) {
    const refused = await refusal(['backup', ...words]);
    expect(refused).toMatchObject({ code: 'invalid_request', message: expect.stringContaining('must be a folder') });
    expect(refused.message).not.toContain('hunter2');
  }
  const servers = { MONGODB_URL: 'mongodb://127.0.0.1/x', MASTER_KEY: Buffer.alloc(32).toString('base64') };
  expect((await refusal(['backup', '--to', newFolder()], servers)).message).toContain('with their own tools');
});

interface Restored {
  readonly lost_events: number | null;
  readonly lost_seals: number;
  readonly lost_feeds: string[];
  readonly erased_since: string[];
  readonly replaced: string | null;
}

test('D101: a restored service goes on where the backup ended; who was erased since stays erased', async () => {
  const agency = await service.agency();
  const kept = await agency.active();
  const text = 'a-page-of-wanda-vanish';
  const userId = await agency.user();
  const enrolled = agency.linkBody(userId, { external_id: 'ext-wanda' });
  const erased = bodyOf<Creator>(await agency.api.enroll(enrolled));
  bodyOf(await agency.api.protect(erased.id, 'active'));
  const answers = async () => [
    (await agency.api.enroll(enrolled)).outcome,
    (await agency.api.enroll({ ...enrolled, display_name: 'Somebody Else' })).outcome,
    (await agency.api.enroll({ ...enrolled, svc_user_id: await agency.user() })).outcome,
  ];
  await agency.leaks(userId, 1, { url: `https://example.com/${text}` });
  expect((await agency.api.get(`/v1/creators/${erased.id}/cases`)).status).toBe(200);
  await service.quiet();
  const to = newFolder();
  await tool('backup', '--to', to);
  expect(holds(text, to)).toContain('documents.db');

  await agency.active();
  await service.quiet();
  await tool('privacy', 'erase', '--creator', erased.id, '--yes');
  const refusals = ['404 not_found', '409 external_id_conflict', '409 external_id_conflict'];
  expect(await answers()).toEqual(refusals);
  await service.services.sealing.sealAll(service.clock.now());
  let restored: Restored | undefined;
  await service.restart({}, async () => {
    restored = await tool<Restored>('backup', 'restore', '--from', to);
    expect(holds(text, dataDir)).toEqual([]);
  });
  expect(restored).toMatchObject({ erased_since: [erased.id], lost_feeds: [agency.workspaceId] });
  expect(restored?.lost_events).toBeGreaterThan(5);
  expect(restored?.lost_seals).toBeGreaterThan(0);
  await service.pass(HOUR);
  await service.quiet();
  expect((await agency.api.get(`/v1/creators/${kept.id}`)).status).toBe(200);
  const next = await agency.active();
  expect((await agency.publishedEvents()).map(({ data }) => data.creator?.id)).toContain(next.id);
  expect((await agency.api.get(`/v1/creators/${erased.id}`)).status).toBe(404);
  expect(await answers()).toEqual(refusals);
  expect(holds(text, dataDir)).toEqual([]);
});
