import { randomBytes } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { derivedUuid, HOUR, MINUTE } from '#kernel';
import { checkLiveConnections } from '../../support/live-connections.js';
import { Service } from '../support/service.js';
import { Visitor } from '../support/visitor.js';

let service: Service;
beforeAll(async () => {
  service = await Service.start({ provider: 'sandbox' });
});
// Twenty logins of one address have a minute.
beforeEach(() => service.pass(MINUTE));
afterAll(() => service.stop());

const sessionCookie = ({ browser }: Visitor): [string, string] | undefined =>
  [...browser.cookies].find(([name]) => name.startsWith('session-'));

describe('Signing in', () => {
  it('leads to the provider, and back to the page that was asked for, with its filters', async () => {
    const visitor = await Visitor.known(service);
    const page = '/dashboard/deliveries?status=failed&after=whd_1&q=%C3%A9%26';
    const { url } = await visitor.signIn(page);
    expect(url).toBe(service.url + page);
    expect(visitor.browser.visited.map((each) => new URL(each).pathname)).toEqual([
      '/dashboard/login',
      '/oidc/auth',
      expect.stringMatching(/^\/oidc\/people\//),
      expect.stringMatching(/^\/oidc\/people\//),
      expect.stringMatching(/^\/oidc\/auth\//),
      '/dashboard/callback',
      '/dashboard/deliveries',
    ]);
  });

  it('asks with PKCE, state and nonce, and no address carries a token', async () => {
    const visitor = await Visitor.signedIn(service);
    const [asked = ''] = visitor.browser.visited.filter((each) => each.includes('/oidc/auth?'));
    const query = Object.fromEntries(new URL(asked).searchParams);
    expect(query).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      scope: 'openid profile email',
      redirect_uri: `${service.url}/dashboard/callback`,
    });
    expect(query.state?.length).toBeGreaterThan(40);
    expect(query.nonce?.length).toBeGreaterThan(40);
    const ours = [...visitor.browser.cookies].filter(([name]) => /^(session|login)-/.test(name));
    const secrets = [...ours.map(([, value]) => value), (await visitor.session<{ csrf_token: string }>()).csrf_token];
    for (const address of visitor.browser.visited) {
      expect(address).not.toMatch(/access_token|id_token|refresh_token/);
      expect(secrets.filter((secret) => address.includes(secret))).toEqual([]);
    }
  });

  it('gives a cookie that scripts cannot read, and keeps only its hash', async () => {
    const visitor = await Visitor.known(service);
    const list = await visitor.startSignIn();
    const set: string[] = [];
    const { request } = visitor.browser;
    visitor.browser.request = async (...given) => {
      const answer = await request.apply(visitor.browser, given);
      set.push(...answer.headers.getSetCookie());
      return answer;
    };
    await visitor.choose(list);
    const ours = set.filter((each) => each.startsWith('session-'));
    expect(ours).toEqual([expect.stringMatching(/^session-\d+=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/)]);
    const [, secret = ''] = sessionCookie(visitor) ?? [];
    const stored = await service.services.documents.find('dashboard_sessions', { index: 'by_end', limit: 1_000 });
    expect(stored.length).toBeGreaterThan(0);
    expect(JSON.stringify(stored)).not.toContain(secret);
    expect(JSON.stringify(stored)).not.toContain((await visitor.session<{ csrf_token: string }>()).csrf_token);
  });

  it('never leads elsewhere', async () => {
    const visitor = await Visitor.known(service);
    expect((await visitor.signIn('//evil.example/')).url).toBe(`${service.url}/dashboard/`);
  });

  it('returns to no page, and answers no state, that is sent twice', async () => {
    const visitor = await Visitor.known(service);
    const list = await visitor.browser.open(`${service.url}/dashboard/login?return_to=/dashboard/a&return_to=/b`);
    expect((await visitor.choose(list)).url).toBe(`${service.url}/dashboard/`);
    const { status } = await fetch(`${service.url}/dashboard/callback?state=a&state=b`);
    expect(status).toBe(400);
  });

  it('keeps at most five logins under way, and any of them can end', async () => {
    const visitor = await Visitor.known(service);
    const lists = [];
    for (let tab = 0; tab < 7; tab += 1) lists.push(await visitor.startSignIn(`/dashboard/?tab=${tab}`));
    const logins = [...visitor.browser.cookies.keys()].filter((name) => name.startsWith('login-'));
    expect(logins).toHaveLength(5);
    const [first, second, third] = lists;
    if (first === undefined || second === undefined || third === undefined) throw new Error('no lists');
    const tooOld = await visitor.choose(second);
    expect([tooOld.status, tooOld.text]).toEqual([400, expect.stringContaining('Sign-in failed')]);
    expect((await visitor.choose(third)).url).toBe(`${service.url}/dashboard/?tab=2`);
  });

  it.each(['x', '\\\\', '"', 'é'])(
    'leaves room for other headers, however many pages full of %s were asked for',
    async (text) => {
      const visitor = await Visitor.known(service);
      for (const length of [200, 400, 500, 600, 700, 800, 2_700, 4_000]) {
        await visitor.browser.request(`${service.url}/dashboard/login?return_to=/dashboard/?q=${text.repeat(length)}`);
      }
      const logins = [...visitor.browser.cookies].filter(([name]) => name.startsWith('login-'));
      expect(logins).toHaveLength(5);
      expect(logins.map((pair) => pair.join('=')).join('; ').length).toBeLessThan(8_192);
    },
  );

  it('ends after ten minutes', async () => {
    const visitor = await Visitor.known(service);
    const list = await visitor.startSignIn();
    await service.pass(10 * MINUTE);
    expect((await visitor.choose(list)).status).toBe(400);
    expect(sessionCookie(visitor)).toBeUndefined();
  });
});

describe('A session', () => {
  it('has a new id after each login, and the one before ends', async () => {
    const visitor = await Visitor.signedIn(service);
    const [name = '', before = ''] = sessionCookie(visitor) ?? [];
    await visitor.browser.open(`${service.url}/dashboard/login`);
    const [, after = ''] = sessionCookie(visitor) ?? [];
    expect(after).toMatch(/^[\w-]{43}$/);
    expect(after).not.toBe(before);
    visitor.browser.setCookie(name, before);
    expect((await visitor.get('/session')).outcome).toBe('401 session_required');
  });

  it('is not one that somebody else has chosen', async () => {
    const visitor = await Visitor.known(service);
    const planted = 'A'.repeat(43);
    const name = `session-${new URL(service.url).port}`;
    visitor.browser.setCookie(name, planted);
    await visitor.signIn();
    expect(sessionCookie(visitor)).toEqual([name, expect.not.stringMatching(planted)]);
  });

  it('D109: works from its first request on, however many unknown cookies come from its address', async () => {
    const visitor = await Visitor.signedIn(service);
    await service.restart();
    const name = `session-${new URL(service.url).port}`;
    const statuses: number[] = [];
    for (let n = 0; n < 30; n++) {
      const headers = { cookie: `${name}=${randomBytes(32).toString('base64url')}` };
      statuses.push((await fetch(`${service.url}/dashboard/api/session`, { headers })).status);
    }
    expect(statuses).toEqual(Array(30).fill(401));
    expect((await visitor.get('/session')).status).toBe(200);
  });

  it('ends after half an hour without use, but not while it is used', async () => {
    const visitor = await Visitor.signedIn(service);
    for (let minutes = 0; minutes < 60; minutes += 20) {
      await service.pass(20 * MINUTE);
      expect((await visitor.get('/session')).status).toBe(200);
    }
    await service.pass(30 * MINUTE);
    expect((await visitor.get('/session')).outcome).toBe('401 session_required');
  });

  it('ends at logout, also at the provider', async () => {
    const visitor = await Visitor.signedIn(service);
    const [name = '', secret = ''] = sessionCookie(visitor) ?? [];
    const { status, body } = await visitor.send('POST', '/dashboard/logout');
    const { location } = body as { location: string };
    const { pathname, searchParams } = new URL(location);
    expect([status, pathname, Object.fromEntries(searchParams)]).toEqual([
      200,
      '/oidc/session/end',
      { client_id: 'dashboard', post_logout_redirect_uri: `${service.url}/dashboard` },
    ]);
    expect(sessionCookie(visitor)).toBeUndefined();
    visitor.browser.setCookie(name, secret);
    expect((await visitor.get('/session')).outcome).toBe('401 session_required');
    expect((await visitor.browser.open(location)).text).toContain('Sign out');
  });

  it.each<[string, (visitor: Visitor) => Promise<unknown>]>([
    ['ends by signing out', (visitor) => visitor.send('POST', '/dashboard/logout')],
    ['is not used for half an hour', () => service.pass(12 * MINUTE)],
    [
      'has lost the claim of its agency',
      async (visitor) => {
        await visitor.change({ agency_id: null });
        await service.pass(11 * MINUTE);
      },
    ],
  ])('has no live connection after it %s', async (_, leave) => {
    const { id } = await service.agency();
    const visitor = await Visitor.signedIn(service, { agency_id: id });
    const { body } = await visitor.browser.request(`${service.url}/dashboard/api/live`);
    const ended = text(body as NonNullable<typeof body>);
    const check = () => checkLiveConnections(service.services.app);
    await service.pass(8 * MINUTE);
    await check();
    await service.pass(10 * MINUTE);
    await check();
    // Its end would have arrived before this answer.
    await fetch(`${service.url}/dashboard/signed-out`);
    expect(await Promise.race([ended, 'open'])).toBe('open');
    await leave(visitor);
    await check();
    expect(await ended).toContain('retry:');
  });

  it('survives a restart, and a loss of the documents only ends it', async () => {
    const visitor = await Visitor.signedIn(service);
    await service.restart();
    expect((await visitor.get('/session')).status).toBe(200);
    await service.loseDocuments();
    expect((await visitor.get('/session')).outcome).toBe('401 session_required');
    await visitor.signIn();
    expect((await visitor.get('/session')).status).toBe(200);
  });

  it('does not open /v1, and an API key opens no session', async () => {
    const agency = await service.agency();
    const visitor = await Visitor.signedIn(service, { agency_id: agency.id });
    const asApi = await visitor.browser.request(`${service.url}/v1/me`);
    expect(asApi.status).toBe(401);
    const answer = await fetch(`${service.url}/dashboard/api/session`, {
      headers: { authorization: `Bearer ${agency.api.secret}` },
    });
    expect(answer.status).toBe(401);
  });
});

describe('The claims', () => {
  it('name the person, the agencies and the roles', async () => {
    const { id: one } = await service.agency();
    const { id: two } = await service.agency();
    const visitor = await Visitor.signedIn(service, { agency_id: [one, two], roles: ['auditor', 'cook'] });
    expect(await visitor.session()).toMatchObject({
      user: { id: visitor.id, name: `Person ${visitor.id}` },
      role: 'auditor',
      rights: [],
      agency: null,
      agencies: [{ id: one, name: `Agency ${one}` }, { id: two }],
      platform_available: true,
      expires_at: service.clock.now() + HOUR / 2,
    });
    expect(await visitor.session(two)).toMatchObject({ role: 'member', rights: ['read'], agency: { id: two } });
  });

  it('are read again after ten minutes', async () => {
    const { id } = await service.agency();
    const visitor = await Visitor.signedIn(service, { agency_id: id });
    await visitor.change({ agency_id: null, roles: ['operator'] });
    expect(await visitor.session()).toMatchObject({ role: 'member', agencies: [{ id }] });
    await service.pass(16 * MINUTE);
    expect(await visitor.session()).toMatchObject({
      role: 'operator',
      agencies: [],
      user: { id: derivedUuid(service.platform.identity.issuer, visitor.id) },
    });
  });

  it('end the session if the provider does not know the person any more', async () => {
    const visitor = await Visitor.signedIn(service);
    await service.platform.control('DELETE', `/people/${visitor.id}`);
    await service.pass(11 * MINUTE);
    expect((await visitor.get('/session')).outcome).toBe('401 session_required');
  });

  it('are asked for once, however many requests wait for them', async () => {
    const visitor = await Visitor.signedIn(service);
    await service.pass(16 * MINUTE);
    const answers = await Promise.all(Array.from({ length: 8 }, () => visitor.get('/session')));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    await service.pass(16 * MINUTE);
    expect((await visitor.get('/session')).status).toBe(200);
  });

  it('serve for fifteen minutes while the provider is down, and end the session then', async () => {
    const visitor = await Visitor.signedIn(service);
    await service.platform.stop();
    await service.pass(12 * MINUTE);
    expect((await visitor.get('/session')).status).toBe(200);
    await service.pass(3 * MINUTE);
    expect((await visitor.get('/session')).outcome).toBe('401 session_required');
    await service.platform.comeBack();
  });
});
