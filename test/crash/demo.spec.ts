import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { Browser } from '../e2e/support/browser.js';
import { mainOf } from '../support/mains.js';
import { runTool } from '../support/tool.js';
import { runToEnd } from './support/processes.js';
import { until } from './support/until.js';

// A process starts, and imports twenty creators and their cases; on a crowded machine it takes its time.
jest.setTimeout(60_000);

let dataDir: string;
let demo: ChildProcess | undefined;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'demo-'));
});
afterEach(async () => {
  if (demo?.exitCode === null && demo.kill('SIGTERM')) await once(demo, 'close');
  await rm(dataDir, { recursive: true });
});

/** Waits for the complete welcome message and returns it. */
const welcomeOf = async (child: ChildProcess): Promise<string> => {
  let printed = '';
  child.stdout?.on('data', (chunk) => {
    printed += chunk;
  });
  await until('the welcome', async () => /NATIVE_PLATFORM_TOKEN=\S+\s/.test(printed));
  return printed;
};

/** Starts the service as `npm start` does and returns its welcome message. */
const start = async (umask = '022'): Promise<string> => {
  const environment = { PATH: process.env.PATH, DATA_DIR: dataDir, PORT: '0', SANDBOX_PORT: '0' };
  // The spec itself may run in a thread, which cannot set it.
  const words = ['-c', `umask ${umask} && exec "$0" "$1"`, process.execPath, mainOf('demo-start')];
  demo = spawn('sh', words, { stdio: ['ignore', 'pipe', 'inherit'], env: environment });
  return welcomeOf(demo);
};

test('npm run demo walks the main job to its end, and shows each step', async () => {
  const before = await runToEnd('demo', [], { DATA_DIR: dataDir });
  expect(before).toMatchObject({
    status: 1,
    stdout: '',
    stderr: expect.stringContaining(`No demo.json in ${dataDir}: run npm start`),
  });
  await start();
  const { status, stdout, stderr } = await runToEnd('demo', [], { DATA_DIR: dataDir });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const requests = stdout.match(/(GET|POST|PUT) \/v1\/\S+/g);
  const creator = /crt_\w+/.exec(stdout)?.[0];
  const scan = /scn_\w+/.exec(stdout)?.[0];
  expect(requests).toEqual([
    'GET /v1/me',
    'GET /v1/creators?limit=100',
    'POST /v1/creators',
    `GET /v1/creators/${creator}`,
    `PUT /v1/creators/${creator}/protection`,
    `POST /v1/creators/${creator}/scans`,
    `GET /v1/scans/${scan}`,
    `GET /v1/creators/${creator}/cases?limit=100`,
    'GET /v1/events',
    `PUT /v1/creators/${creator}/protection`,
  ]);
  const [, found = '0'] = /(\d+) of \d+ were found by this scan/.exec(stdout) ?? [];
  expect(Number(found)).toBeGreaterThan(0);
  for (const text of ['protection is active', 'queued', 'completed', 'scan.completed', 'case.created']) {
    expect(stdout).toContain(text);
  }
  expect(stdout).toMatch(/protection is paused\n$/);
});

test('npm start imports the roster, publishes that, and prints a line with which the tool works', async () => {
  const welcome = await start();
  const [, key = '', url = ''] = /Bearer (\S+)' (\S+)\/v1\/me/.exec(welcome) ?? [];
  const events = async () => {
    const answer = await fetch(`${url}/v1/events?limit=100`, { headers: { authorization: `Bearer ${key}` } });
    expect(answer.status).toBe(200);
    const { data } = (await answer.json()) as { data: { type: string }[] };
    return data.map(({ type }) => type);
  };
  const count = (types: readonly string[], type: string) => types.filter((each) => each === type).length;
  await until('20 imports', async () => count(await events(), 'creator.updated') === 20);
  await until('a case', async () => count(await events(), 'case.created') > 0);

  const [, platformUrl = '', token = ''] = /NATIVE_PLATFORM_URL=(\S+) NATIVE_PLATFORM_TOKEN=(\S+)/.exec(welcome) ?? [];
  const environment = { DATA_DIR: dataDir, NATIVE_PLATFORM_URL: platformUrl, NATIVE_PLATFORM_TOKEN: token };
  const bound = await runTool(['agencies', 'bind', '--agency', 'agency_demo', '--json'], environment);
  expect([bound.status, bound.stderr]).toEqual([0, '']);
  // Either of the two bound the agency; all that followed is of its workspace.
  const { workspace_id } = JSON.parse(bound.stdout) as { workspace_id: string };
  const history = await runTool(['events', 'history', '--json'], environment);
  const recorded = history.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { stream: string; workspace_id: string | null });
  const elsewhere = recorded.filter(
    (event) => !event.stream.startsWith('seal-') && event.workspace_id !== workspace_id,
  );
  expect(elsewhere).toEqual([]);
});

test('npm start prints a link to the dashboard; two clicks later the owner makes a key that works', async () => {
  const welcome = await start();
  const [, dashboard = ''] = /^ {2}(http\S+\/dashboard)$/m.exec(welcome) ?? [];
  const { origin } = new URL(dashboard);
  const browser = new Browser();
  const page = await browser.open(dashboard);
  expect([page.status, page.text]).toEqual([200, expect.stringContaining('/dashboard/assets/')]);
  // The page goes there, because nobody is signed in.
  const list = await browser.open(`${dashboard}/login?return_to=/dashboard/keys`);
  const [, owner = ''] = /action="([^"]+)"><button>[^<]*, owner of Northlight Talent</.exec(list.text) ?? [];
  expect((await browser.submit(new URL(owner, list.url).href)).url).toBe(`${dashboard}/keys`);

  const json = { accept: 'application/json' };
  const session = await (await browser.request(`${dashboard}/api/session`, { headers: json })).json();
  expect(session).toMatchObject({ role: 'owner', agency: { id: 'agency_demo', name: 'Northlight Talent' } });
  const { csrf_token } = session as { csrf_token: string };
  const made = await browser.request(`${dashboard}/api/keys`, {
    method: 'POST',
    headers: { ...json, origin, 'x-csrf-token': csrf_token, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'From the dashboard', preset: 'read_only', lifetime: '30d' }),
  });
  const { secret } = (await made.json()) as { secret: string };
  const answer = await fetch(`${origin}/v1/me`, { headers: { authorization: `Bearer ${secret}` } });
  expect([made.status, answer.status]).toEqual([201, 200]);
});

test('a wrong port is reported, and nothing is left behind', async () => {
  const { status, stdout, stderr } = await runToEnd('demo-start', [], { DATA_DIR: dataDir, SANDBOX_PORT: 'zz' });
  expect({ status, stdout, stderr }).toEqual({
    status: 1,
    stdout: '',
    stderr: 'The configuration is wrong:\n  SANDBOX_PORT: must be a port, 0 to 65535\n',
  });
});

test('everything in the data folder can be read by its owner only, with any umask (D71)', async () => {
  await start('0');
  const names = await readdir(dataDir, { recursive: true });
  const modes = await Promise.all(names.map(async (name) => (await stat(join(dataDir, name))).mode & 0o777));
  expect(names).toEqual(
    expect.arrayContaining(['events.db', 'documents.db', 'documents.db-wal', 'personal-keys.db', 'sandbox.db']),
  );
  expect(names.filter((_, n) => modes[n] !== 0o600)).toEqual([]);
});
