import { execFile } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { mainOf } from '../support/mains.js';
import type { Finished } from '../support/tool.js';
import { toolKilledAt } from './support/killed-at.js';
import { runToEnd } from './support/processes.js';
import { Restores } from './support/restores.js';
import { AGENCY } from './support/stage.js';

// Many processes are started and waited for; on a crowded machine each takes its time.
jest.setTimeout(600_000);

let restores: Restores;

beforeAll(async () => {
  restores = await Restores.open();
});
afterAll(() => restores.close());

/** Whether the data directory shows that both stay erased and revoked. */
const requireTakenAway = async (dataDir: string) => {
  const keys = JSON.parse((await restores.toolIn(dataDir, 'keys', 'list', '--agency', AGENCY)).stdout) as {
    id: string;
    revoked_at: unknown;
  }[];
  expect(keys.find(({ id }) => id === restores.revoked)?.revoked_at).not.toBeNull();
  const { stdout } = await restores.toolIn(dataDir, 'events', 'history', '--creator', restores.erased);
  expect(stdout).toContain('creator.personalKeyDestroyed.v1');
  expect(stdout).not.toContain('Canaria');
};

const killedAt = (step: number, dataDir: string) =>
  toolKilledAt(step, 'files', dataDir, restores.words(), { ...restores.stage.environment, DATA_DIR: dataDir });

test('D106: a restore that is killed at any step leaves all as before, or what refuses to start, and is finished by the next', async () => {
  const expected = { ...(await restores.restoredIn(restores.copied())), replaced: expect.any(String) };
  expect(expected).toMatchObject({ erased_since: [restores.erased], revoked_keys: [restores.revoked] });
  const outcomes: string[] = [];
  for (let step = 0; ; step++) {
    const dataDir = restores.copied();
    if (!(await killedAt(step, dataDir))) break;
    const { status, stderr } = await restores.toolIn(dataDir, 'keys', 'list', '--agency', AGENCY);
    if (status === 0) await requireTakenAway(dataDir);
    else
      expect(JSON.parse(stderr).error).toMatchObject({
        code: 'unfinished_restore',
        message: expect.stringContaining('run the restore again'),
      });
    outcomes.push(status === 0 ? 'as before' : 'refused');
    expect(await restores.restoredIn(dataDir)).toEqual(expected);
    await requireTakenAway(dataDir);
    expect(existsSync(join(dataDir, 'restoring'))).toBe(false);
    rmSync(dataDir, { recursive: true });
  }
  // Before its first change it is as before, and from then on it refuses.
  expect(outcomes.length).toBeGreaterThan(15);
  expect(outcomes.lastIndexOf('as before')).toBeLessThan(outcomes.indexOf('refused'));
});

test('D106: no process of the service starts with what a killed restore has left', async () => {
  const dataDir = restores.copied();
  expect(await killedAt(15, dataDir)).toBe(true);
  for (const app of ['standalone', 'api', 'worker'] as const) {
    const { status, stderr } = await runToEnd(app, [], { ...restores.stage.environment, DATA_DIR: dataDir });
    expect(status).not.toBe(0);
    expect(stderr).toContain('run the restore again');
  }
});

const NOBODY = 65_534;
/** Why other users cannot be tried; undefined if they can. */
const unable = async (): Promise<string | undefined> => {
  if (process.geteuid?.() !== 0) return 'the test does not run as root';
  const { status, stderr } = await asNobody('process.exit(0)');
  return status === 0 ? undefined : `setpriv: ${stderr}`;
};
const run = (file: string, words: readonly string[], environment: object): Promise<Finished> =>
  new Promise((done) => {
    const env = { PATH: process.env.PATH, NODE_COMPILE_CACHE: '', ...environment };
    execFile(file, words, { env }, (error, stdout, stderr) => {
      done({ status: typeof error?.code === 'number' ? error.code : error === null ? 0 : -1, stdout, stderr });
    });
  });
const AS_NOBODY = [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'];
const asNobody = (code: string) => run('setpriv', [...AS_NOBODY, process.execPath, '-e', code], {});
const cliAsNobody = (words: readonly string[], dataDir: string, more: object = {}) =>
  run('setpriv', [...AS_NOBODY, process.execPath, mainOf('cli'), ...words], {
    ...restores.stage.environment,
    DATA_DIR: dataDir,
    ...more,
  });
const own = (path: string) => {
  chownSync(path, NOBODY, NOBODY);
  for (const entry of statSync(path).isDirectory() ? readdirSync(path) : []) own(join(path, entry));
};
const ownersIn = (path: string) =>
  new Set(readdirSync(path, { recursive: true }).map((name) => statSync(join(path, String(name))).uid));
const stateOf = (path: string) =>
  readdirSync(path).map((name) => {
    const { mode, uid, mtimeMs, ctimeMs } = statSync(join(path, name));
    return [name, mode, uid, mtimeMs, ctimeMs, readFileSync(join(path, name)).toString('base64')];
  });
/** Says why it does nothing where the machine does not permit it. */
const permitted = (name: string, task: () => Promise<void>) =>
  test(name, async () => {
    const reason = await unable();
    if (reason !== undefined) return process.stderr.write(`skipped, as ${reason}: ${name}\n`);
    return task();
  });

permitted('D106: what root restores or copies into the folder of another user belongs to that user', async () => {
  const dataDir = restores.copied();
  own(dataDir);
  const { status, stderr } = await runToEnd('cli', restores.words(), {
    ...restores.stage.environment,
    DATA_DIR: dataDir,
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(ownersIn(dataDir)).toEqual(new Set([NOBODY]));
  expect((await cliAsNobody(['keys', 'list', '--agency', AGENCY, '--json'], dataDir)).stderr).toBe('');

  const to = restores.newFolder();
  mkdirSync(to);
  own(to);
  const target = join(to, 'data');
  const copy = ['log', 'copy', '--from', restores.stopped, '--to', target, '--json'];
  expect((await runToEnd('cli', copy, restores.stage.environment)).stderr).toBe('');
  expect(ownersIn(to)).toEqual(new Set([NOBODY]));
});

permitted('D106: another user than the owner is refused, and the message says who that is', async () => {
  const dataDir = restores.copied();
  chmodSync(dataDir, 0o777);
  for (const name of readdirSync(dataDir)) chmodSync(join(dataDir, name), 0o644);
  const before = stateOf(dataDir);
  const { stderr } = await cliAsNobody(restores.words(), dataDir);
  expect(stderr).toMatch(/belongs to the user id 0, and this process runs as the user id 65534/);
  expect(stateOf(dataDir)).toEqual(before);
  // So is every other command, and the service.
  const listed = await cliAsNobody(['keys', 'list', '--agency', AGENCY], dataDir, { MASTER_KEY: restores.masterKey });
  expect(listed.stderr).toMatch(/belongs to the user id 0, and this process runs as the user id 65534/);
});

permitted('D106: a master key that the user may not read is named, and the user too', async () => {
  const dataDir = restores.copied();
  own(dataDir);
  chownSync(join(dataDir, 'master.key'), 0, 0);
  const message = /master\.key cannot be read by this process, which runs as the user id 65534: run it as the owner/;
  expect((await cliAsNobody(restores.words(), dataDir)).stderr).toMatch(message);
  expect((await cliAsNobody(['keys', 'list', '--agency', AGENCY], dataDir)).stderr).toMatch(message);
});

permitted('D107: a user who may only read checks a backup and restores it, and changes nothing of it', async () => {
  const readable = restores.newFolder();
  cpSync(restores.backup, readable, { recursive: true });
  chmodSync(readable, 0o555);
  for (const name of readdirSync(readable)) chmodSync(join(readable, name), 0o444);
  const before = stateOf(readable);
  const parent = restores.newFolder();
  mkdirSync(parent);
  own(parent);
  const dataDir = join(parent, 'data');
  expect(await cliAsNobody(['backup', 'check', readable, '--json'], dataDir)).toMatchObject({ status: 0, stderr: '' });
  const restored = await cliAsNobody(restores.words(readable), dataDir, { MASTER_KEY: restores.masterKey });
  expect(restored).toMatchObject({ status: 0, stderr: '' });
  expect(stateOf(readable)).toEqual(before);
});

permitted('D107: a backup on a read-only mount is checked and restored', async () => {
  const mounted = restores.newFolder();
  cpSync(restores.backup, mounted, { recursive: true });
  const dataDir = restores.copied();
  const mount = `mount --bind "${mounted}" "${mounted}" && mount -o remount,ro,bind "${mounted}"`;
  const probe = await run('unshare', ['-m', 'sh', '-c', mount], {});
  if (probe.status !== 0) return void process.stderr.write(`skipped, as mounting is not permitted: ${probe.stderr}\n`);
  for (const words of [['backup', 'check', mounted, '--json'], restores.words(mounted)]) {
    const command = `${mount} && exec "$@"`;
    const args = ['-m', 'sh', '-c', command, 'sh', process.execPath, mainOf('cli'), ...words];
    const done = await run('unshare', args, { ...restores.stage.environment, DATA_DIR: dataDir });
    expect(done).toMatchObject({ status: 0, stderr: '' });
  }
  await requireTakenAway(dataDir);
});
