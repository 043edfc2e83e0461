import { chmodSync, cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, jest, test } from '@jest/globals';
import type { Creator } from '#client';
import { HOUR } from '#kernel';
import { runTool } from '../../support/tool.js';
import { bodyOf } from '../support/api-client.js';
import { Receiver } from '../support/receiver.js';
import { startService } from '../support/start-service.js';

// The stores are files in each run, as a backup is of files.
jest.setTimeout(120_000);

const folder = mkdtempSync(join(tmpdir(), 'restore-'));
const service = await startService({ folder: join(folder, 'service'), env: { WEBHOOK_TARGETS: 'any' } });
const { dataDir } = service.services.config;
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let folders = 0;
const newFolder = () => join(folder, `folder-${++folders}`);
const fileOf = (name: string) => join(dataDir, name);

interface Restored {
  readonly lost_events: number | null;
  readonly erased_since: string[];
  readonly erased_unknown: string[];
  readonly revoked_keys: string[];
  readonly disabled_endpoints: string[];
  readonly replaced_secrets: string[];
  readonly unread: string[];
  readonly nothing_known: boolean;
}
const tool = async <Value>(words: readonly string[], environment: Readonly<Record<string, string>> = {}) => {
  const { status, stdout, stderr } = await runTool([...words, '--json'], { DATA_DIR: dataDir, ...environment });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return JSON.parse(stdout) as Value;
};
const refusal = async (words: readonly string[], environment: Readonly<Record<string, string>> = {}) => {
  const { status, stdout, stderr } = await runTool([...words, '--json'], { DATA_DIR: dataDir, ...environment });
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  return JSON.parse(stderr).error as { code: string; message: string };
};
const backup = async () => {
  await service.quiet();
  const to = newFolder();
  await tool(['backup', '--to', to]);
  return to;
};
const restore = (from: string, ...words: string[]) => ['backup', 'restore', '--from', from, ...words];

const KEYS = 'personal-keys.db';

/** A creator is erased and a key revoked after the backup; the data directory is kept, for restores into copies of it. */
const agency = await service.agency();
const kept = await agency.active();
const enrollment = agency.linkBody(await agency.user());
const erased = bodyOf<Creator>(await agency.api.enroll(enrollment));
const key = await agency.issueKey();
const from = await backup();
await tool(['privacy', 'erase', '--creator', erased.id, '--yes']);
await tool(['keys', 'revoke', key.keyId]);
const stopped = newFolder();
await service.restart({}, async () => cpSync(dataDir, stopped, { recursive: true }));

const copied = () => {
  const to = newFolder();
  cpSync(stopped, to, { recursive: true });
  return { DATA_DIR: to };
};
const namesIn = ({ DATA_DIR }: { readonly DATA_DIR: string }) => readdirSync(DATA_DIR).toSorted();
test('D105: a service whose key store was lost shows nothing of who was erased since the backup, and takes no revoked key', async () => {
  await service.restart({}, async () => {
    rmSync(fileOf(KEYS));
    const restored = await tool<Restored>(restore(from));
    expect(restored).toMatchObject({ erased_since: [erased.id], revoked_keys: [key.keyId] });
  });
  await service.pass(HOUR);
  await service.quiet();
  expect((await agency.api.get(`/v1/creators/${kept.id}`)).status).toBe(200);
  expect((await agency.api.get(`/v1/creators/${erased.id}`)).status).toBe(404);
  expect((await agency.api.enroll(enrollment)).status).toBe(404);
  expect((await key.api.get('/v1/me')).status).toBe(401);
  const list = (await agency.api.get('/v1/creators')).body as { data: { id: string }[] };
  expect(list.data.map(({ id }) => id)).toEqual([kept.id]);
});

test('D105: an endpoint that was disabled and a secret that was replaced since the backup stay so', async () => {
  const receiver = await Receiver.start();
  const [disabled, rotated] = [await agency.endpoint(receiver.url), await agency.endpoint(receiver.url)];
  const again = await agency.endpoint(receiver.url);
  const later = await backup();
  await agency.disable(disabled.id);
  await agency.rotate(rotated.id);
  // It is enabled again before the restore.
  await agency.disable(again.id);
  await agency.enable(again.id);
  await service.restart({}, async () => {
    const restored = await tool<Restored>(restore(later));
    expect(restored.disabled_endpoints).toEqual([disabled.id]);
    expect(restored.replaced_secrets).toEqual([rotated.id]);
    // The same backup once more: it is all carried from the restored log.
    expect(await tool<Restored>(restore(later))).toMatchObject({
      disabled_endpoints: [disabled.id],
      replaced_secrets: [rotated.id],
    });
  });
});

test('D105: a new machine is restored, and says that nothing shows what was erased', async () => {
  const environment = { DATA_DIR: newFolder(), MASTER_KEY: readFileSync(fileOf('master.key'), 'utf8').trim() };
  const { status, stdout } = await runTool(restore(from), environment);
  expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining('nothing shows what was erased') });
});

test('D106: a master key that does not belong to the backup is refused before anything is moved', async () => {
  const environment = { ...copied(), MASTER_KEY: Buffer.alloc(32, 7).toString('base64') };
  const before = namesIn(environment);
  expect((await refusal(restore(from), environment)).code).toBe('wrong_master_key');
  expect(namesIn(environment)).toEqual(before);
});

test('D106: the modes of the backup do not matter', async () => {
  const readable = newFolder();
  cpSync(from, readable, { recursive: true });
  for (const name of readdirSync(readable)) chmodSync(join(readable, name), 0o644);
  const environment = copied();
  expect(await tool<Restored>(restore(readable), environment)).toMatchObject({ erased_since: [erased.id] });
  for (const name of namesIn(environment).filter((each) => each.includes('.db')))
    expect(statSync(join(environment.DATA_DIR, name)).mode & 0o777).toBe(0o600);
  expect(existsSync(join(environment.DATA_DIR, 'restoring'))).toBe(false);
});
