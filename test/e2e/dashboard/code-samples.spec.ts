import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, test } from '@jest/globals';
import { eventually } from '#testing';
import { freePort } from '../../support/free-port.js';
import { DIST } from '../../support/mains.js';
import { DashboardPage } from '../support/dashboard-page.js';
import { startService } from '../support/start-service.js';

// The samples of the dashboard, and the endpoint of the client's README, as a reader copies them; the client is the one of the build.
interface WithSecret {
  readonly secret: string;
  readonly samples: { readonly curl: string; readonly typescript: string; readonly python?: string };
}

const run = promisify(execFile);
const service = await startService({ env: { WEBHOOK_TARGETS: 'any' }, provider: 'sandbox' });
const agency = await service.agency();
const owner = await DashboardPage.ofOwner(service, agency);
const folder = mkdtempSync(join(tmpdir(), 'dashboard-samples-'));
afterAll(() => rmSync(folder, { recursive: true }));

const programOf = (name: string, source: string): string => {
  const built = (entry: string) => pathToFileURL(join(DIST, `libs/client/src/${entry}.js`)).href;
  const file = join(folder, name);
  const linked = source.replace('@creator-protection/client/webhooks', built('webhooks'));
  writeFileSync(file, linked.replace("'@creator-protection/client'", `'${built('index')}'`));
  return file;
};

const inShell = async (line: string, env: object = {}) =>
  (await run('bash', ['-c', line], { env: { ...process.env, ...env } })).stdout;

/** Starts a receiver, sends the signed event of the sample with each secret, and returns the statuses. */
const receivedBy = async (file: string, secret: string, sending: string, secrets: readonly string[]) => {
  const PORT = String(await freePort());
  const env = { ...process.env, NODE_OPTIONS: '--disable-warning=ExperimentalWarning', WEBHOOK_SECRET: secret, PORT };
  const receiver = spawn(process.execPath, [file], { env, stdio: 'ignore' });
  try {
    await eventually(async () => {
      const socket = connect(Number(PORT), '127.0.0.1');
      await once(socket, 'connect').finally(() => socket.destroy());
    });
    const statuses: string[] = [];
    for (const each of secrets) {
      const answer = await inShell(sending, { WEBHOOK_SECRET: each, PORT });
      statuses.push(answer.split('\r\n')[0] ?? '');
    }
    return statuses;
  } finally {
    receiver.kill();
  }
};

test('the samples next to a new key succeed', async () => {
  const { body } = await owner.post<WithSecret>('/keys', { name: 'backend', preset: 'read_only', lifetime: '30d' });
  expect(await inShell(body.samples.curl)).toMatch(/^HTTP\/1.1 200 OK\r\n/);
  const { stdout, stderr } = await run(process.execPath, [programOf('call.mts', body.samples.typescript)], {
    env: { ...process.env, NODE_OPTIONS: '--disable-warning=ExperimentalWarning', SVC_KEY: body.secret },
  });
  expect([stdout, stderr]).toEqual([expect.stringContaining('creators:read'), '']);
});

test('the one in Python succeeds where Python is installed', async () => {
  const { body } = await owner.post<WithSecret>('/keys', { name: 'Python', preset: 'read_only', lifetime: '30d' });
  const python = await run('which', ['python3']).catch(() => undefined);
  if (python === undefined) return;
  const { stdout } = await run('python3', ['-c', body.samples.python ?? ''], {
    env: { ...process.env, SVC_KEY: body.secret },
  });
  expect(stdout).toContain("'scopes'");
});

test('the samples of the overview are those of a key, without its secret', async () => {
  const [{ body: overview }, { body: key }] = [
    await owner.get<WithSecret>('/overview'),
    await owner.post<WithSecret>('/keys', { name: 'backend', preset: 'read_only', lifetime: '30d' }),
  ];
  const curl = key.samples.curl.replace(key.secret, 'svc_live_…');
  expect(overview.samples).toEqual({ curl, typescript: key.samples.typescript, python: key.samples.python });
});

test('the receiver next to a new endpoint takes what the line below it signs, and nothing else', async () => {
  const { body } = await owner.post<WithSecret>('/endpoints', { url: 'http://127.0.0.1:9/' });
  const file = programOf('receiver.mts', body.samples.typescript);
  const wrong = `whsec_${Buffer.alloc(32).toString('base64')}`;
  const statuses = await receivedBy(file, body.secret, body.samples.curl, [body.secret, wrong]);
  expect(statuses).toEqual(['HTTP/1.1 204 No Content', 'HTTP/1.1 401 Unauthorized']);
});

test('the endpoint in the README of the client is a receiver', async () => {
  const readme = readFileSync(fileURLToPath(new URL('../../../libs/client/README.md', import.meta.url)), 'utf8');
  const [code = ''] = [...readme.matchAll(/```ts\n(.*?)```/gs)]
    .map(([, each]) => each)
    .filter((each) => each?.includes('createServer'));
  const { body } = await owner.post<WithSecret>('/endpoints', { url: 'http://127.0.0.1:9/' });
  const statuses = await receivedBy(programOf('receive.mts', code), body.secret, body.samples.curl, [body.secret]);
  expect(statuses).toEqual(['HTTP/1.1 204 No Content']);
});
