import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { mainOf } from '../support/mains.js';
import type { Environment } from '../support/tool.js';
import { runToEnd } from './support/processes.js';
import { AGENCY, Stage } from './support/stage.js';
import { until } from './support/until.js';
import { HookReceiver } from './webhooks/hook-receiver.js';

// Many processes are started and waited for; on a crowded machine each takes its time.
jest.setTimeout(120_000);

const [OLD, NEW, OTHER] = [1, 2, 3].map((byte) => Buffer.alloc(32, byte).toString('base64')) as [
  string,
  string,
  string,
];
const ROTATING = { MASTER_KEY: NEW, MASTER_KEY_PREVIOUS: OLD };
const MEMBERS = 250;
const KILLS = 5;

const receiver = new HookReceiver();
let stage: Stage;
let secret: string;
let endpointId: string;
let oldPublicKey: string;

beforeAll(async () => {
  await receiver.start();
  stage = await Stage.open({ WEBHOOK_TARGETS: 'any', MASTER_KEY: OLD });
  await stage.agency({ total_slots: 1_000 });
  ({ secret } = await stage.openAccount());
  await stage.members(MEMBERS);
  const standalone = stage.start('standalone');
  const client = stage.client(await standalone.ready(), secret);
  await until('all members', async () => (await client.roster()).length === MEMBERS);
  const endpoint = await stage.runTool<{ id: string; secret: string }>(
    ...['webhooks', 'register', '--agency', AGENCY, '--url', receiver.url],
  );
  endpointId = endpoint.id;
  receiver.secret = endpoint.secret;
  await stage.runTool('events', 'seal', '--now');
  oldPublicKey = (await stage.runTool<{ public_key: string }>('events', 'public-key')).public_key;
  await standalone.stop();
});

afterAll(async () => {
  await stage.close();
  await receiver.kill();
});

const refused = async (app: 'api' | 'worker' | 'standalone', settings: Environment): Promise<string> => {
  const { status, stderr } = await runToEnd(app, [], { ...stage.environment, ...settings });
  expect({ app, status }).toEqual({ app, status: 1 });
  return stderr;
};

const toolRefused = async (words: readonly string[], settings: Environment): Promise<string> => {
  const { status, stderr } = await stage.tool(words, settings);
  expect({ words, status }).toEqual({ words, status: 1 });
  return (JSON.parse(stderr) as { error: { code: string } }).error.code;
};

/** Starts a rotation and kills it; false where it was over before. */
const killedRotation = async (after: number): Promise<boolean> => {
  const environment = { PATH: process.env.PATH, ...stage.environment, ...ROTATING };
  const child = spawn(process.execPath, [mainOf('cli'), 'master-key', 'rotate'], { env: environment, stdio: 'ignore' });
  const gone = once(child, 'close');
  await delay(after);
  child.kill('SIGKILL');
  await gone;
  return child.signalCode === 'SIGKILL';
};

test('D71: nothing that serves or writes starts under another master key, or without the key store', async () => {
  const foreign = (['api', 'worker', 'standalone'] as const).map((app) => refused(app, { MASTER_KEY: OTHER }));
  for (const stderr of await Promise.all(foreign)) {
    expect(stderr).toContain('MASTER_KEY does not belong to this data');
  }
  const issue = ['keys', 'issue', '--agency', AGENCY, '--preset', 'read_only'];
  for (const words of [issue, ['agencies', 'bind', '--agency', AGENCY], ['projections', 'rebuild']]) {
    expect(await toolRefused(words, { MASTER_KEY: OTHER })).toBe('wrong_master_key');
  }

  const restored = join(stage.dataDir, 'restored');
  await mkdir(restored);
  await cp(join(stage.dataDir, 'events.db'), join(restored, 'events.db'));
  await writeFile(join(restored, 'documents.db'), '');
  expect(await refused('worker', { DATA_DIR: restored })).toContain('the key store is empty');
  expect(await toolRefused(issue, { DATA_DIR: restored })).toBe('missing_keys');
  const { status, stdout } = await stage.tool(['events', 'history', '--reveal'], { DATA_DIR: restored });
  expect(status).toBe(0);
  expect(stdout).toContain('[encrypted]');

  // A copy of the log is not sealed, as only a foreign key could sign it; its newest seal is printed.
  const out = join(restored, 'statement.json');
  const month = new Date().toISOString().slice(0, 7);
  const statement = ['usage', 'statement', '--agency', AGENCY, '--month', month, '--out', out];
  const seals = async () => (await stage.tool(['events', 'seals', '--json'], { DATA_DIR: restored })).stdout;
  const before = await seals();
  for (const settings of [{ DATA_DIR: restored }, { DATA_DIR: restored, MASTER_KEY: OTHER }]) {
    for (const words of [statement, ['events', 'seal', '--now']]) {
      expect(await toolRefused(words, settings)).toMatch(/^(missing_keys|wrong_master_key)$/);
    }
    expect((await stage.tool(['events', 'seal'], settings)).status).toBe(0);
  }
  expect(await seals()).toBe(before);
  expect((await stage.tool(['projections', 'rebuild'], { DATA_DIR: restored })).status).toBe(0);

  // A generated key would be a wrong one, and would hide that the right one has to be restored.
  await cp(join(stage.dataDir, 'personal-keys.db'), join(restored, 'personal-keys.db'));
  const { MASTER_KEY: _, ...withoutKey }: Environment = { ...stage.environment, DATA_DIR: restored };
  const ends = (['api', 'worker', 'standalone', 'cli'] as const).map((app) =>
    runToEnd(app, app === 'cli' ? issue : [], withoutKey),
  );
  for (const end of await Promise.all(ends)) {
    expect(end).toMatchObject({ status: 1, stderr: expect.stringContaining('restore the master.key') });
  }
  const noFile = { ...withoutKey, MASTER_KEY_FILE: join(restored, 'none') };
  expect((await runToEnd('worker', [], noFile)).stderr).toContain('MASTER_KEY_FILE');
  expect(existsSync(join(restored, 'master.key'))).toBe(false);
  await rm(restored, { recursive: true });
});

test('D85: the master key is changed while the service runs, and a kill at any point of it loses nothing', async () => {
  expect(await toolRefused(['master-key', 'rotate'], {})).toBe('invalid_request');
  // All processes have both keys; until the rotation begins, the old one encrypts.
  const worker = stage.start('worker', ROTATING);
  const api = stage.start('api', ROTATING);
  const client = stage.client(await api.ready(), secret);
  await worker.ready();
  const before = await client.roster();
  expect(before).toHaveLength(MEMBERS);

  let killed = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    if (await killedRotation(250 + kill * 120)) killed++;
    expect(await client.roster()).toEqual(before);
    await stage.members(1);
    await until('the new member', async () => (await client.roster()).length === MEMBERS + kill + 1);
    before.splice(0, before.length, ...(await client.roster()));
  }
  expect(killed).toBeGreaterThan(0);
  const [first, rotated] = await Promise.all([
    stage.tool(['master-key', 'rotate', '--json'], ROTATING),
    stage.tool(['webhooks', 'rotate', endpointId, '--json'], ROTATING),
  ]);
  receiver.secret = (JSON.parse(rotated.stdout) as { secret: string }).secret;
  receiver.faults.length = 0;
  expect({ status: first.status, stderr: first.stderr }).toEqual({ status: 0, stderr: '' });
  expect(Object.keys(JSON.parse(first.stdout))).toEqual(['rewrapped', 'reencrypted']);
  const again = await stage.tool(['master-key', 'rotate', '--json'], ROTATING);
  expect(JSON.parse(again.stdout)).toEqual({ rewrapped: 0, reencrypted: 0 });

  // The old key is dropped: everything is there, the webhook is signed, and nothing starts with the old one.
  await Promise.all([worker.stop(), api.stop()]);
  await Promise.all([refused('api', { MASTER_KEY: OLD }), refused('worker', { MASTER_KEY: OLD })]);
  const standalone = stage.start('standalone', { MASTER_KEY: NEW });
  const later = stage.client(await standalone.ready(), secret);
  expect(await later.roster()).toEqual(before);
  await stage.members(1);
  const known = receiver.requests;
  await later.roster();
  await until('a delivery', async () => receiver.requests > known);
  expect(receiver.faults).toEqual([]);

  const sealed = await stage.tool(['events', 'seal', '--now'], { MASTER_KEY: NEW });
  expect(sealed.status).toBe(0);
  const { public_key: newPublicKey } = JSON.parse(
    (await stage.tool(['events', 'public-key', '--json'], { MASTER_KEY: NEW })).stdout,
  ) as { public_key: string };
  expect(newPublicKey).not.toBe(oldPublicKey);
  for (const key of [oldPublicKey, newPublicKey]) {
    const verified = await stage.tool(['events', 'verify', '--public-key', key, '--json'], { MASTER_KEY: NEW });
    expect(JSON.parse(verified.stdout)).toMatchObject({ intact: true, fault_count: 0 });
  }
  const history = await stage.tool(['events', 'history', '--reveal'], { MASTER_KEY: NEW });
  expect(history.stdout).not.toContain('[encrypted]');
  expect(history.stdout.match(/seal\.keyChanged\.v1/g)).toHaveLength(1);
});
