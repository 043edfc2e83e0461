import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '../../support/free-port.js';
import { Service } from '../support/service.js';

const asBrowser = {
  headers: { accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8' },
  redirect: 'manual',
} as const;

describe('without an issuer', () => {
  let service: Service;
  beforeAll(async () => {
    service = await Service.start();
  });
  afterAll(() => service.stop());

  it.each(['/dashboard', '/dashboard/keys', '/dashboard/login', '/dashboard/api/session', '/dashboard/assets/a.js'])(
    'there is no %s',
    async (path) => {
      const answer = await fetch(service.url + path, asBrowser);
      expect([answer.status, await answer.json()]).toMatchObject([404, { error: { code: 'not_found' } }]);
    },
  );

  it('leads a browser to the documentation, and answers a program with its address (D116)', async () => {
    const led = await fetch(`${service.url}/`, asBrowser);
    expect([led.status, led.headers.get('location')]).toEqual([302, '/docs']);
    const answer = await fetch(`${service.url}/`, { headers: { accept: '*/*' } });
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining(`${service.url}/docs`)]);
    expect((await fetch(`${service.url}/`, { ...asBrowser, method: 'POST' })).status).toBe(404);
  });
});

describe('with an issuer that is down', () => {
  let service: Service;
  beforeAll(async () => {
    const issuer = `http://127.0.0.1:${await freePort()}`;
    service = await Service.start({ provider: { issuer, clientId: 'dashboard', clientSecret: 'secret' } });
  });
  afterAll(() => service.stop());

  it('starts, serves agencies, and says at a login that the provider cannot be reached', async () => {
    const agency = await service.agency();
    expect((await agency.api.get('/v1/me')).status).toBe(200);
    const answer = await fetch(`${service.url}/dashboard/login?return_to=/dashboard/keys?status=active`, asBrowser);
    expect(answer.status).toBe(503);
    expect(await answer.text()).toContain('href="/dashboard/login?return_to=%2Fdashboard%2Fkeys%3Fstatus%3Dactive"');
    expect(answer.headers.getSetCookie()).toEqual([]);
  });

  it('leads a browser to the dashboard', async () => {
    const led = await fetch(`${service.url}/`, asBrowser);
    expect([led.status, led.headers.get('location')]).toEqual([302, `${service.url}/dashboard`]);
  });

  it('knows no session without a login, and none of an API key', async () => {
    const agency = await service.agency();
    const headers = { authorization: `Bearer ${agency.api.secret}` };
    const answer = await fetch(`${service.url}/dashboard/api/session`, { headers });
    expect([answer.status, await answer.json()]).toMatchObject([401, { error: { code: 'session_required' } }]);
    expect(answer.headers.get('ratelimit-limit')).toBeNull();
  });
});
