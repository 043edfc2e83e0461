import type { IncomingHttpHeaders } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import type { FastifyRequest } from 'fastify';
import { TrustedProxies } from '#configuration';
import { silentLogger } from '#kernel';
import { DashboardAddress } from './address.js';

const PROXY = '10.0.0.1';

interface Seen {
  readonly to: string | undefined;
  readonly logged: readonly (readonly [level: string, line: object])[];
}

const OPTIONS = {
  apiUrl: undefined,
  issuer: 'https://login.example',
  clientId: 'dashboard',
  clientSecret: undefined,
  scope: 'openid',
  providerTimeout: 1,
  claims: { subject: 'sub', agency: 'agency_id', roles: 'roles' },
  trustedProxies: TrustedProxies.parse(PROXY) ?? TrustedProxies.NONE,
};

const seenAs = (
  url: string,
  headers: IncomingHttpHeaders,
  remoteAddress = PROXY,
  originalUrl = '/dashboard/',
): Seen => {
  const logged: [string, object][] = [];
  const noting = (level: string) => (line: object) => void logged.push([level, line]);
  const logger = { info: noting('info'), warn: noting('warn'), error: noting('error') };
  const request = { id: 'req_1', headers, raw: { socket: { remoteAddress } }, originalUrl };
  const to = new DashboardAddress({ ...OPTIONS, url }, logger).elsewhere(request as unknown as FastifyRequest);
  return { to, logged };
};

const isElsewhere = (...seen: Parameters<typeof seenAs>): boolean => seenAs(...seen).to !== undefined;

const HTTPS = 'https://protect.example/dashboard';

describe('A request', () => {
  it.each<[string, string, IncomingHttpHeaders]>([
    ['as it is', HTTPS, { host: 'protect.example' }],
    ['in capitals', HTTPS, { host: 'Protect.Example' }],
    ['with the usual port of https', HTTPS, { host: 'protect.example:443' }],
    ['with the usual port of http', 'http://protect.example/dashboard', { host: 'protect.example:80' }],
    ['with another port', 'https://protect.example:8443/dashboard', { host: 'protect.example:8443' }],
    ['forwarded', HTTPS, { host: 'inner:8080', 'x-forwarded-host': 'protect.example:443' }],
    ['forwarded by several proxies', HTTPS, { host: 'inner', 'x-forwarded-host': 'protect.example, outer:8080' }],
  ])('is for the host of the dashboard if it names it %s', (_, url, headers) => {
    expect(isElsewhere(url, headers)).toBe(false);
  });

  it.each<[string, IncomingHttpHeaders]>([
    ['another host', { host: 'other.example' }],
    ['another port', { host: 'protect.example:80' }],
    ['no host', {}],
    ['what is no host', { host: 'protect.example:port' }],
    ['a path in its host', { host: 'protect.example/' }],
    ['a user in its host', { host: 'user@protect.example' }],
    ['another host that was forwarded', { host: 'protect.example', 'x-forwarded-host': 'other.example' }],
  ])('is elsewhere if it names %s', (_, headers) => {
    expect(isElsewhere(HTTPS, headers)).toBe(true);
  });

  it('is where its own host says, regardless of what a stranger forwards', () => {
    expect(isElsewhere(HTTPS, { host: 'protect.example', 'x-forwarded-host': 'other.example' }, '8.8.8.8')).toBe(false);
    expect(isElsewhere(HTTPS, { host: 'other.example', 'x-forwarded-host': 'protect.example' }, '8.8.8.8')).toBe(true);
  });

  it('D114: is redirected once, and the log says which host arrived', () => {
    const line = { request_id: 'req_1', host: 'inner:8080', expected: 'protect.example' };
    const inner = { host: 'inner:8080' };
    expect(seenAs(HTTPS, inner, PROXY, '/dashboard/keys?status=active')).toEqual({
      to: 'https://protect.example/dashboard/keys?status=active&redirected=1',
      logged: [['info', line]],
    });
    expect(seenAs(HTTPS, inner, PROXY, '/dashboard/keys?status=active&redirected=1')).toEqual({
      to: undefined,
      logged: [['warn', line]],
    });
    expect(seenAs(HTTPS, { host: 'protect.example' }).logged).toEqual([]);
    expect(seenAs(HTTPS, { host: 'x'.repeat(16_000) }).logged).toMatchObject([['info', { host: 'x'.repeat(255) }]]);
  });
});

describe('The page after a login', () => {
  const pageAt = (path: string) => new DashboardAddress({ ...OPTIONS, url: HTTPS }, silentLogger).pageAt(path);

  it.each(['/dashboard', '/dashboard/keys?status=active'])('is %s', (path) => {
    expect(pageAt(path)).toBe(`https://protect.example${path}`);
  });

  it.each([
    ...[
      '//evil.example/',
      'https://evil.example/dashboard/',
      '/\\evil.example',
      '/dashboard/../../evil',
      '/v1/me',
      'x',
    ],
    ...['/dashboard/login', '/dashboard/logout', '/dashboard/callback?code=1', '/dashboard/api/session'],
    `/dashboard/events?q=${'x'.repeat(800)}`,
  ])('is the start page instead of %s', (path) => {
    expect(pageAt(path)).toBe(`${HTTPS}/`);
  });
});
