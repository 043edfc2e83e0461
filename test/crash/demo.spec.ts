import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { DAY, SECOND } from '#kernel';
import { Browser } from '../e2e/support/browser.js';
import { mainOf } from '../support/mains.js';
import { runTool } from '../support/tool.js';
import { runToEnd } from './support/processes.js';
import { until } from './support/until.js';

// The first start writes a month of history; on a crowded machine that takes its time.
jest.setTimeout(180_000);

let dataDir: string;
let demo: ChildProcess | undefined;
let welcome: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'demo-'));
  welcome = await start('0');
});
afterAll(async () => {
  await stop();
  await rm(dataDir, { recursive: true });
});

/** Waits for the complete welcome message and returns it. */
const welcomeOf = async (child: ChildProcess): Promise<string> => {
  let printed = '';
  child.stdout?.on('data', (chunk) => {
    printed += chunk;
  });
  await until('the welcome', async () => /NATIVE_PLATFORM_TOKEN=\S+\s/.test(printed), 120_000);
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

const stop = async (): Promise<void> => {
  if (demo?.exitCode === null && demo.kill('SIGTERM')) await once(demo, 'close');
};

const found = (pattern: RegExp): string[] => pattern.exec(welcome)?.slice(1) ?? [];

/** An answer of the API to the key that was printed. */
const api = async <Body>(path: string): Promise<Body> => {
  const [key = '', url = ''] = found(/Bearer (\S+)' (\S+)\/v1\/me/);
  const answer = await fetch(`${url}/v1${path}`, { headers: { authorization: `Bearer ${key}` } });
  expect(answer.status).toBe(200);
  return (await answer.json()) as Body;
};

/** The output of the operators' tool, with the line that was printed for it. */
const tool = async (...words: string[]): Promise<string> => {
  const [url = '', token = ''] = found(/NATIVE_PLATFORM_URL=(\S+) NATIVE_PLATFORM_TOKEN=(\S+)/);
  const environment = { DATA_DIR: dataDir, NATIVE_PLATFORM_URL: url, NATIVE_PLATFORM_TOKEN: token };
  const { status, stdout, stderr } = await runTool([...words, '--json'], environment);
  expect([status, stderr]).toEqual([0, '']);
  return stdout.trim();
};

interface Recorded {
  readonly stream: string;
  readonly type: string;
  readonly at: number;
  readonly workspace_id: string | null;
}
const history = async (): Promise<Recorded[]> =>
  (await tool('events', 'history')).split('\n').map((line) => JSON.parse(line) as Recorded);

test('an empty folder gets an agency that has used the service for a month', async () => {
  const { data } = await api<{ data: { external_id: string; protection_status: string; eligible: boolean }[] }>(
    '/creators?limit=100',
  );
  const count = (status: string) =>
    data.filter(({ external_id, protection_status }) => external_id.startsWith('NL-') && protection_status === status)
      .length;
  expect({ all: data.length, active: count('active'), paused: count('paused') }).toEqual({
    all: 40,
    active: 27,
    paused: 3,
  });
  expect(data.filter(({ external_id, eligible }) => external_id.startsWith('svc:') && eligible).length).toBe(3);
  expect(await api('/capacity')).toMatchObject({ total_slots: 40, available_slots: 10 });

  const now = new Date();
  const months = [-1, 0].map((n) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + n)).toISOString().slice(0, 7),
  );
  for (const month of months) {
    const usage = await api<{ active_creator_count: number; estimated_total_cents: number }>(`/usage?month=${month}`);
    expect(usage.active_creator_count).toBeGreaterThan(2);
    expect(usage.estimated_total_cents).toBeGreaterThan(0);
  }
});

test('one of its endpoints fails, and is not disabled yet (D82)', async () => {
  const endpoints = JSON.parse(await tool('webhooks', 'health', '--agency', 'agency_demo')) as readonly object[];
  const health = { status: 'active', last_failure_at: expect.any(Number), disables_at: expect.any(Number) };
  expect(endpoints).toEqual([
    expect.objectContaining({ status: 'active', success_rate: 1, disables_at: null }),
    expect.objectContaining(health),
    expect.objectContaining({ status: 'disabled' }),
  ]);
  const [, failing] = endpoints as readonly { success_rate: number; disables_at: number; pending: number }[];
  expect(failing?.success_rate).toBeLessThan(0.5);
  expect(failing?.pending).toBeGreaterThan(0);
  expect(failing?.disables_at).toBeGreaterThan(Date.now());
});

test('the history is one of the log like any other: in order, of one workspace, sealed and intact', async () => {
  const recorded = await history();
  const times = recorded.map(({ at }) => at);
  // Events of different streams that are decided together may be appended in any order.
  const back = times.filter((at, n) => at < (times[n - 1] ?? 0) - SECOND);
  expect(back).toEqual([]);
  expect(Date.now() - Math.min(...times)).toBeGreaterThan(31 * DAY);
  expect(Math.max(...times)).toBeLessThanOrEqual(Date.now());
  const { workspace_id } = JSON.parse(await tool('agencies', 'bind', '--agency', 'agency_demo'));
  const elsewhere = recorded.filter(
    (event) => !event.stream.startsWith('seal-') && event.workspace_id !== workspace_id,
  );
  expect(elsewhere).toEqual([]);
  const verified = JSON.parse(await tool('events', 'verify'));
  expect(verified).toMatchObject({ intact: true, fault: null });
  expect(verified.seals).toBeGreaterThan(20);
});

test('npm run demo walks the main job to its end, and shows each step', async () => {
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

test('npm start prints a link to the dashboard; two clicks later the owner makes a key that works', async () => {
  const [dashboard = ''] = found(/^ {2}(http\S+\/dashboard)$/m);
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
  const attention = await (await browser.request(`${dashboard}/api/attention`, { headers: json })).json();
  expect(attention).toMatchObject({ failing_endpoints: 1, refused_requests: expect.any(Number) });
  expect((attention as { refused_requests: number }).refused_requests).toBeGreaterThan(5);
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
  const nowhere = join(dataDir, 'nowhere');
  const { status, stdout, stderr } = await runToEnd('demo-start', [], { DATA_DIR: nowhere, SANDBOX_PORT: 'zz' });
  expect({ status, stdout, stderr }).toEqual({
    status: 1,
    stdout: '',
    stderr: 'The configuration is wrong:\n  SANDBOX_PORT: must be a port, 0 to 65535\n',
  });
  expect(existsSync(nowhere)).toBe(false);
  expect(await runToEnd('demo', [], { DATA_DIR: nowhere })).toMatchObject({
    status: 1,
    stdout: '',
    stderr: expect.stringContaining(`No demo.json in ${nowhere}: run npm start`),
  });
});

test('everything in the data folder can be read by its owner only, with any umask (D71)', async () => {
  const names = await readdir(dataDir, { recursive: true });
  const modes = await Promise.all(names.map(async (name) => (await stat(join(dataDir, name))).mode & 0o777));
  expect(names).toEqual(
    expect.arrayContaining(['events.db', 'documents.db', 'documents.db-wal', 'personal-keys.db', 'sandbox.db']),
  );
  expect(names.filter((_, n) => modes[n] !== 0o600)).toEqual([]);
});

test('a second start of the same folder writes no history', async () => {
  const before = await history();
  await stop();
  welcome = await start();
  const added = (await history()).slice(before.length);
  const made = new Set(['agency', 'apiKey', 'creator', 'roster', 'webhookEndpoint']);
  const types = added.filter(({ stream }) => made.has(stream.split('-')[0] ?? '')).map(({ type }) => type);
  expect(types).toEqual(['apiKey.issued.v1']);
});
