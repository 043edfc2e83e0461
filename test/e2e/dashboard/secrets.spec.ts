import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { request } from 'undici';
import { readConfig } from '#configuration';
import { createLogger } from '#observability';
import { freePort } from '../../support/free-port.js';
import { openService } from '../../support/open-service.js';
import { Browser } from '../support/browser.js';
import { DashboardPage } from '../support/dashboard-page.js';
import { Platform } from '../support/platform.js';
import { TestClock } from '../support/test-clock.js';
import { WaywardProvider } from '../support/wayward-provider.js';

const MINUTES = 60_000;

const lines: string[] = [];
const logger = createLogger('trace', { write: (line) => lines.push(line) });
const clock = new TestClock();
const provider = await WaywardProvider.start();
const platform = await Platform.start({ file: undefined, clock, scanDurationMs: MINUTES });
const folders: string[] = [];

const open = async (dashboardUrl: string, port: number) => {
  const { issuer, clientId, clientSecret } = provider.client;
  folders.push(mkdtempSync(join(tmpdir(), 'secrets-')));
  const config = readConfig({
    DATA_DIR: folders.at(-1),
    NATIVE_PLATFORM_URL: platform.url,
    NATIVE_PLATFORM_TOKEN: platform.token,
    WEBHOOK_TARGETS: 'any',
    DASHBOARD_URL: dashboardUrl,
    OIDC_ISSUER_URL: issuer,
    OIDC_CLIENT_ID: clientId,
    OIDC_CLIENT_SECRET: clientSecret,
  });
  const service = await openService(config, { logger, clock, port });
  return { ...service, url: (await service.start()).url };
};

const port = await freePort();
const own = await open(`http://127.0.0.1:${port}/dashboard`, port);
const behindProxy = await open('https://protect.example/dashboard', 0);

afterAll(async () => {
  for (const service of [own, behindProxy]) await service.close();
  await provider.stop();
  await platform.stop();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

test('no secret of a sign-in, a session or the provider is in a log, a document, an event or another answer', async () => {
  const browser = new Browser();
  const api = `${own.url}/dashboard/api/session`;
  const answers: string[] = [];
  const call = async (init: RequestInit = {}, address = api): Promise<string> => {
    const text = await (await browser.request(address, init)).text();
    answers.push(text);
    return text;
  };
  const secrets: string[] = [provider.client.clientSecret];
  const signIn = async () => {
    const opened = await browser.open(`${own.url}/dashboard/login`);
    answers.push(opened.text);
    for (const address of browser.visited) {
      const { searchParams } = new URL(address);
      secrets.push(...['state', 'nonce', 'code_challenge'].flatMap((name) => searchParams.getAll(name)));
    }
    secrets.push(...browser.cookies.values());
  };
  await signIn();
  const { csrf_token: token } = JSON.parse(await call());
  expect(token).toMatch(/^[\w-]{43}$/);
  // The logins below fail in every way that might record a secret.
  answers.splice(0);
  for (const ways of [
    { isForged: true },
    { status: { '/token': 400 } },
    { status: { '/userinfo': 500 } },
    { state: 'a-state-of-somebody-else' },
  ]) {
    provider.ways = ways;
    await signIn();
  }
  provider.ways = { isForged: true };
  clock.advance(11 * MINUTES);
  await call();
  provider.ways = {};
  await signIn();
  const headers = { origin: own.url, 'x-csrf-token': 'wrong' };
  await call({ method: 'POST', headers }, `${own.url}/dashboard/logout`);
  await call({ headers: { authorization: `Bearer ${secrets.at(-1)}` } });

  secrets.push(token, ...provider.secrets);
  expect(new Set(secrets).size).toBeGreaterThan(20);
  const { documents, log } = own.services;
  const stored = await documents.find('dashboard_sessions', { index: 'by_end', limit: 100 });
  expect(stored.length).toBeGreaterThan(0);
  // Nobody has changed anything yet.
  expect(await log.head()).toBe(0);
  const written = [...lines, ...answers, JSON.stringify(stored)].join('\n');
  expect(written).toContain('somebody could not sign in');
  for (const secret of new Set(secrets)) expect([secret, written.includes(secret)]).toEqual([secret, false]);
});

test('the secrets of keys and endpoints are in the one answer that shows them, and nowhere else', async () => {
  const [userId, agency] = [crypto.randomUUID(), 'agency_secrets'];
  await platform.control('PATCH', `/agencies/${agency}`, { owner_user_id: userId });
  const owner = await DashboardPage.of(own, { userId, agencies: [agency] });
  const made = async (path: string, body: object) => {
    const { status, body: answer } = await owner.send<{ id: string; secret: string }>('POST', path, body);
    expect([path, status]).toEqual([path, 201]);
    return answer;
  };
  expect((await owner.send('POST', '/binding', { owner_user_id: userId })).status).toBe(200);
  const key = await made('/keys', { name: 'backend', preset: 'read_only', lifetime: '30d' });
  const endpoint = await made('/endpoints', { url: `${platform.url}/hook` });
  const rotated = await made(`/endpoints/${endpoint.id}/rotate`, { overlap: '24h' });
  const secrets = [key, endpoint, rotated].map(({ secret }) => secret);
  expect(new Set(secrets).size).toBe(3);
  const authorization = `Bearer ${key.secret}`;
  for (const path of ['/v1/me', '/v1/creators/none']) await fetch(own.url + path, { headers: { authorization } });
  await owner.send('PUT', `/endpoints/${endpoint.id}/types`, { types: [rotated.secret] });

  const shown = ['/overview', '/keys', `/keys/${key.id}`, '/endpoints', '/requests', '/events', '/deliveries'];
  const answers = await Promise.all(shown.map((path) => owner.got<object>(path)));
  const { events } = await own.services.log.readLog({ after: 0, limit: 1_000 });
  expect(events.length).toBeGreaterThan(3);
  const written = [...lines, JSON.stringify([answers, events])].join('\n');
  for (const secret of secrets) expect(written.includes(secret)).toBe(false);
});

test('behind https the cookies have the prefix of the host, and are sent over https alone', async () => {
  const headers = { host: 'protect.example', accept: 'text/html' };
  const answer = await request(`${behindProxy.url}/dashboard/login`, { headers });
  const cookies = [answer.headers['set-cookie']].flat();
  expect([answer.statusCode, cookies]).toEqual([
    303,
    [expect.stringMatching(/^__Host-login-[\w-]{43}=[\w.-]+; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/)],
  ]);
  const { location } = answer.headers;
  expect(new URL(String(location)).searchParams.get('redirect_uri')).toBe('https://protect.example/dashboard/callback');
  const callback = await request(String(location)).then(({ headers: back }) => new URL(String(back.location)));
  const [cookie = ''] = String(cookies[0]).split(';');
  const ended = await request(behindProxy.url + callback.pathname + callback.search, {
    headers: { ...headers, cookie },
  });
  expect(ended.headers.location).toBe('https://protect.example/dashboard/');
  expect([ended.headers['set-cookie']].flat()).toEqual([
    expect.stringMatching(/^__Host-login-[\w-]{43}=; Max-Age=0; Path=\/; HttpOnly; Secure; SameSite=Lax$/),
    expect.stringMatching(/^__Host-session=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/),
  ]);
});

test('every answer of the dashboard says that nobody may keep it', async () => {
  for (const path of ['/dashboard/api/session', '/dashboard/login', '/dashboard/callback', '/dashboard/signed-out']) {
    const { headers } = await new Browser().request(own.url + path);
    expect([path, headers.get('cache-control'), headers.get('x-svc-mode')]).toEqual([path, 'no-store', 'live']);
  }
});
