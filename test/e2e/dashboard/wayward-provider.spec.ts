import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { MINUTE } from '#kernel';
import { eventually } from '#testing';
import { Browser, type Opened } from '../support/browser.js';
import { GIVEN_UP_AFTER, Service } from '../support/service.js';
import { type Ways, WaywardProvider } from '../support/wayward-provider.js';

let provider: WaywardProvider;
let service: Service;
beforeAll(async () => {
  provider = await WaywardProvider.start();
  const env = { PROVIDER_TIMEOUT: `${GIVEN_UP_AFTER}ms`, OIDC_SCOPE: 'openid groups offline_access' };
  service = await Service.start({ provider: provider.client, env });
});
beforeEach(async () => {
  provider.ways = {};
  await service.pass(MINUTE);
});
afterAll(async () => {
  await service.stop();
  await provider.stop();
});

const signIn = async (ways: Ways, browser = new Browser()): Promise<Opened & { readonly isSignedIn: boolean }> => {
  provider.ways = ways;
  const opened = await browser.open(`${service.url}/dashboard/login?return_to=/dashboard/keys`);
  return { ...opened, isSignedIn: [...browser.cookies.keys()].some((name) => name.startsWith('session-')) };
};

const seconds = () => Math.floor(Date.now() / 1_000);

describe('A sign-in', () => {
  it('works where the provider does all that it should', async () => {
    expect(await signIn({})).toMatchObject({ url: `${service.url}/dashboard/keys`, isSignedIn: true });
  });

  it.each<[string, Ways]>([
    ['expired', { claims: (right) => ({ ...right, exp: seconds() - 31 }) }],
    ['from the future', { claims: (right) => ({ ...right, iat: seconds() + 300, nbf: seconds() + 300 }) }],
    ['without an end', { claims: ({ exp: _, ...others }) => others }],
    ['signed with another key', { isForged: true }],
    ['not signed', { isUnsigned: true }],
    ['from an earlier sign-in', { isReplayed: true }],
    ['for another client', { claims: (right) => ({ ...right, aud: 'another' }) }],
    [
      'for several clients without saying for which',
      { claims: (right) => ({ ...right, aud: ['dashboard', 'another'] }) },
    ],
    ['of another issuer', { claims: (right) => ({ ...right, iss: 'https://login.example' }) }],
    ['with another nonce', { claims: (right) => ({ ...right, nonce: 'another' }) }],
    ['without a nonce', { claims: ({ nonce: _, ...others }) => others }],
    ['without a subject', { claims: ({ sub: _, ...others }) => others }],
  ])('is refused with a token that is %s', async (_, ways) => {
    const { status, text, isSignedIn } = await signIn(ways);
    expect([status, isSignedIn]).toEqual([403, false]);
    expect(text).toContain('Sign-in failed');
    for (const secret of provider.secrets) expect(text).not.toContain(secret);
  });

  it('bears clocks that differ by half a minute', async () => {
    const isLate = { claims: (right: object) => ({ ...right, exp: seconds() - 25 }) };
    expect(await signIn(isLate)).toMatchObject({ isSignedIn: true });
    const isEarly = { claims: (right: object) => ({ ...right, nbf: seconds() + 25 }) };
    expect(await signIn(isEarly)).toMatchObject({ isSignedIn: true });
  });

  it('is refused with another state, and where the user info is of somebody else', async () => {
    expect(await signIn({ state: 'another' })).toMatchObject({ status: 400, isSignedIn: false });
    expect(await signIn({ infoOf: crypto.randomUUID() })).toMatchObject({ status: 403, isSignedIn: false });
  });

  it('cannot be ended in another browser than it was begun in', async () => {
    const [attacker, victim] = [new Browser(), new Browser()];
    await attacker.open(`${service.url}/dashboard/login`);
    const callback = attacker.visited.find((address) => address.includes('/callback?')) ?? '';
    expect(callback).toContain('code=');
    const opened = await victim.open(callback);
    expect([opened.status, victim.cookies.size]).toEqual([400, 0]);
  });

  it('cannot be ended twice; its end leads to the dashboard as long as the person is signed in (D115)', async () => {
    const browser = new Browser();
    await signIn({}, browser);
    const callback = browser.visited.find((address) => address.includes('/callback?')) ?? '';
    const [given, cookies] = [provider.secrets.length, new Map(browser.cookies)];
    expect(await browser.open(callback)).toMatchObject({ status: 200, url: `${service.url}/dashboard/` });
    expect(await browser.open(`${service.url}/dashboard/callback`)).toMatchObject({ url: `${service.url}/dashboard/` });
    expect([provider.secrets.length, browser.cookies]).toEqual([given, cookies]);
    await service.pass(31 * MINUTE);
    expect((await browser.open(callback)).status).toBe(400);
  });

  it.each(['ES256', 'ES512', 'PS256', 'RS384', 'EdDSA'])(
    'works where user info is signed with %s (D115)',
    async (alg) => {
      const browser = new Browser();
      expect(await signIn({ signsInfo: alg, info: { agency_id: 'agency_signed' } }, browser)).toMatchObject({
        isSignedIn: true,
      });
      const answer = await browser.request(`${service.url}/dashboard/api/session`);
      expect(await answer.json()).toMatchObject({ agencies: [{ id: 'agency_signed' }] });
    },
  );

  it('is refused where signed user info is of somebody else, or signed with a key that is not published', async () => {
    expect(await signIn({ signsInfo: 'ES256', infoOf: crypto.randomUUID() })).toMatchObject({ status: 403 });
    expect(await signIn({ signsInfo: 'ES256', forgesInfo: true })).toMatchObject({ status: 403, isSignedIn: false });
  });

  it('reads claims that are behind a scope (D115)', async () => {
    const browser = new Browser();
    await signIn({ infoOfScope: ['groups', { agency_id: 'agency_grouped' }] }, browser);
    const answer = await browser.request(`${service.url}/dashboard/api/session`);
    expect(await answer.json()).toMatchObject({ agencies: [{ id: 'agency_grouped' }] });
  });

  it.each(['/.well-known/openid-configuration', '/token', '/jwks', '/userinfo'])(
    'says that the provider cannot be reached if %s fails, or never answers',
    async (path) => {
      expect(await signIn({ status: { [path]: 500 } })).toMatchObject({ status: 503, isSignedIn: false });
      expect(await signIn({ hangs: [path] })).toMatchObject({ status: 503, isSignedIn: false });
      expect(await signIn({})).toMatchObject({ isSignedIn: true });
    },
  );

  it('works right after the provider has changed its keys', async () => {
    expect(await signIn({})).toMatchObject({ isSignedIn: true });
    await provider.changeKeys();
    expect(await signIn({})).toMatchObject({ isSignedIn: true });
  });
});

describe('A session', () => {
  const outcome = async (browser: Browser) =>
    (await browser.request(`${service.url}/dashboard/api/session`, { headers: { accept: 'application/json' } })).status;

  it('ends if the provider renews it for somebody else', async () => {
    const browser = new Browser();
    await signIn({}, browser);
    provider.ways = { claims: (right) => ({ ...right, sub: crypto.randomUUID() }) };
    await service.pass(11 * MINUTE);
    expect(await outcome(browser)).toBe(401);
  });

  const inToken: Ways = { claims: (right) => ({ ...right, agency_id: 'agency_one' }) };
  const inInfo: Ways = { info: { agency_id: 'agency_one' } };

  it.each<[string, Ways]>([
    ['nothing says who the person is', { hasNoInfo: true, hasNoRefresh: true }],
    ['a refresh says nothing about the person', { hasNoInfo: true, refreshesAccessOnly: true }],
    ['only the ID token names the agency, and there is no refresh', { ...inToken, hasNoRefresh: true }],
    ['only the ID token names the agency, and a refresh has none', { ...inToken, refreshesAccessOnly: true }],
  ])('ends with its claims if %s', async (_, ways) => {
    const browser = new Browser();
    expect(await signIn(ways, browser)).toMatchObject({ isSignedIn: true });
    await service.pass(9 * MINUTE);
    expect(await outcome(browser)).toBe(200);
    await service.pass(2 * MINUTE);
    expect(await outcome(browser)).toBe(401);
  });

  it.each<[string, Ways]>([
    ['user info names the agency, and there is no refresh', { ...inInfo, hasNoRefresh: true }],
    ['user info names the agency, and a refresh has no ID token', { ...inInfo, refreshesAccessOnly: true }],
    ['both name the agency, and a refresh has no ID token', { ...inInfo, ...inToken, refreshesAccessOnly: true }],
  ])('keeps its agency if %s', async (_, ways) => {
    const browser = new Browser();
    await signIn(ways, browser);
    for (let renewals = 0; renewals < 2; renewals += 1) {
      await service.pass(11 * MINUTE);
      const answer = await browser.request(`${service.url}/dashboard/api/session`);
      expect(await answer.json()).toMatchObject({ agencies: [{ id: 'agency_one' }] });
    }
  });

  it('goes on with the refresh tokens that the provider gives for a scope (D115)', async () => {
    const browser = new Browser();
    await signIn({ hasNoInfo: true, refreshesOffline: true }, browser);
    provider.ways = { hasNoInfo: true, refreshesOffline: true, claims: ({ nonce: _, ...others }) => others };
    for (let renewals = 0; renewals < 2; renewals += 1) {
      await service.pass(11 * MINUTE);
      expect(await outcome(browser)).toBe(200);
    }
  });

  it('goes on without the agency that the provider has taken away', async () => {
    const browser = new Browser();
    await signIn({ ...inInfo, hasNoRefresh: true }, browser);
    provider.ways = { hasNoRefresh: true };
    await service.pass(11 * MINUTE);
    const answer = await browser.request(`${service.url}/dashboard/api/session`);
    expect([answer.status, await answer.json()]).toMatchObject([200, { agencies: [] }]);
  });

  it('ends if user info alone named the agency, and the provider has it no more', async () => {
    const browser = new Browser();
    await signIn(inInfo, browser);
    provider.ways = { hasNoInfo: true, claims: ({ nonce: _, ...others }) => others };
    await service.pass(11 * MINUTE);
    expect(await outcome(browser)).toBe(401);
  });

  it.each([
    ['may still be used', 11],
    ['are too old to be used', 16],
  ])('survives two processes that renew it at the same moment, when its claims %s', async (_, minutes) => {
    const browser = new Browser();
    await signIn({}, browser);
    const api = await service.startApi();
    await service.pass(minutes * MINUTE);
    const tokens = Promise.withResolvers<void>();
    provider.ways = { claims: ({ nonce: _, ...others }) => others, tokensAfter: tokens.promise };
    provider.refreshed.length = 0;
    const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ');
    const ask = async (url: string) => (await fetch(`${url}/dashboard/api/session`, { headers: { cookie } })).status;
    const asked = [service.url, api.url, service.url, api.url].map(ask);
    await eventually(async () => expect(provider.refreshed).not.toEqual([]));
    tokens.resolve();
    expect(await Promise.all(asked)).toEqual([200, 200, 200, 200]);
    expect(provider.refreshed).toHaveLength(1);
    await api.stop();

    await service.pass(16 * MINUTE);
    expect(await outcome(browser)).toBe(200);
    expect(new Set(provider.refreshed).size).toBe(2);
  });

  it('outlives a slow provider for as long as its claims are young enough', async () => {
    const browser = new Browser();
    await signIn({}, browser);
    provider.ways = { hangs: ['/token'] };
    await service.pass(11 * MINUTE);
    expect(await outcome(browser)).toBe(200);
    provider.ways = { claims: ({ nonce: _, ...others }) => others };
    await service.pass(2 * MINUTE);
    expect(await outcome(browser)).toBe(200);
    await service.pass(9 * MINUTE);
    expect(await outcome(browser)).toBe(200);
  });
});
