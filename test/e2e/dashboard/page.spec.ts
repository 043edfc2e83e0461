import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Service } from '../support/service.js';

const HTML = 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8';

let service: Service;
beforeAll(async () => {
  service = await Service.start({ provider: 'sandbox' });
});
afterAll(() => service.stop());

const get = (path: string, headers: Record<string, string> = { accept: HTML }) =>
  fetch(service.url + path, { headers, redirect: 'manual' });

const noncesIn = (text: string): string[] => [...text.matchAll(/nonce[-=]"?([\w-]+)/g)].map(([, nonce = '']) => nonce);

describe('The page', () => {
  it.each(['/dashboard', '/dashboard/', '/dashboard/keys?status=active', '/dashboard/no/such/page'])(
    'is at %s, with a new nonce each time, and is not kept',
    async (path) => {
      const answers = await Promise.all([get(path), get(path)]);
      const nonces = new Set<string>();
      for (const answer of answers) {
        const text = await answer.text();
        const policy = answer.headers.get('content-security-policy') ?? '';
        expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
        expect(answer.headers.get('cache-control')).toBe('no-store');
        expect(answer.headers.get('x-svc-mode')).toBe('live');
        expect(answer.headers.get('connection')).toBe('keep-alive');
        const [nonce = '', ...others] = new Set([...noncesIn(policy), ...noncesIn(text)]);
        expect(nonce).toMatch(/^[\w-]{22}$/);
        expect(others).toEqual([]);
        nonces.add(nonce);
      }
      expect(nonces.size).toBe(2);
    },
  );

  it('says whether the browser sent a session', async () => {
    const { port } = new URL(service.url);
    const cookie = `session-${port}=${randomBytes(32).toString('base64url')}`;
    const texts = await Promise.all(
      [{}, { cookie }].map(async (headers) => (await get('/dashboard', { accept: HTML, ...headers })).text()),
    );
    expect(texts.map((text) => /name="session" content="(.*?)"/.exec(text)?.[1])).toEqual(['none', 'given']);
  });

  it('runs only its own scripts and styles, and is never in a frame', async () => {
    const { headers } = await get('/dashboard/');
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).not.toContain('unsafe');
    expect(policy).not.toContain('*');
    expect(policy.split('; ')).toEqual(
      expect.arrayContaining(["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'self'"]),
    );
    expect(headers.get('x-frame-options')).toBe('DENY');
  });

  it('is the answer to who takes HTML, by the most specific range; others get a JSON 404', async () => {
    for (const accept of ['*/*', 'text/*;q=0.1', 'application/json, */*', 'TEXT/HTML']) {
      expect((await get('/dashboard/keys', { accept })).status).toBe(200);
    }
    for (const accept of ['application/json', 'text/html;q=0', 'text/html; q=0.0, */*', 'text/*;q=0,*/*']) {
      const refused = await get('/dashboard/keys', { accept });
      expect([refused.status, refused.headers.get('content-type')]).toEqual([404, 'application/json; charset=utf-8']);
    }
  });

  it.each(['/dashboard/api/nothing', '/dashboard/api', '/dashboard/assets/index-00000000.js', '/dashboard/assets/'])(
    'is not at %s',
    async (path) => {
      const answer = await get(path);
      expect([answer.status, await answer.json()]).toMatchObject([404, { error: { code: 'not_found' } }]);
      expect(answer.headers.get('cache-control')).toBe('no-store');
    },
  );

  it('does not leave its folder', async () => {
    for (const path of ['/dashboard/assets/..%2findex.html', '/dashboard/assets/%2e%2e/%2e%2e/package.json']) {
      const answer = await get(path, { accept: 'application/json' });
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(await answer.json()).toMatchObject({ error: { code: expect.any(String) } });
    }
  });

  it('is at its own host only, because cookies are', async () => {
    const { port } = new URL(service.url);
    const elsewhere = `http://localhost:${port}/dashboard/keys?status=active`;
    const answer = await fetch(elsewhere, { headers: { accept: HTML }, redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([
      307,
      `${service.url}/dashboard/keys?status=active&redirected=1`,
    ]);
  });

  it.each(['/dashboard', '/dashboard/keys?status=active', '/dashboard/login'])(
    'D114: is redirected from another host once, as a proxy that drops the host would lead around forever: %s',
    async (path) => {
      const at = (address: string) => {
        const { pathname, search, port } = new URL(address);
        return fetch(`http://localhost:${port}${pathname}${search}`, { headers: { accept: HTML }, redirect: 'manual' });
      };
      const location = (await at(service.url + path)).headers.get('location') ?? '';
      expect(location).toMatch(new RegExp(`^${service.url}`));
      const { status, headers } = await at(location);
      const isLogin = path === '/dashboard/login';
      expect([status, headers.get('location')]).toEqual(
        isLogin ? [303, expect.stringContaining('/oidc/')] : [200, null],
      );
    },
  );
});

describe('An asset', () => {
  it('is kept forever, compressed as the browser likes, and named by its content', async () => {
    const [, path = ''] = /src="(\/dashboard\/assets\/[^"]+)"/.exec(await (await get('/dashboard/')).text()) ?? [];
    expect(path).toMatch(/-[\w-]{8,}\.js$/);
    for (const encoding of ['br', 'gzip', 'identity']) {
      const answer = await get(path, { 'accept-encoding': encoding });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-encoding') ?? 'identity').toBe(encoding);
      expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      expect(answer.headers.get('x-svc-mode')).toBe('live');
      expect(answer.headers.get('content-type')).toMatch(/javascript/);
      expect((await answer.text()).length).toBeGreaterThan(1_000);
    }
  });
});
