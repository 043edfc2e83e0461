import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { request } from 'undici';
import { MINUTE } from '#kernel';
import { Service } from '../support/service.js';
import { Visitor } from '../support/visitor.js';

let service: Service;
beforeAll(async () => {
  service = await Service.start({ provider: 'sandbox' });
});
beforeEach(() => service.pass(MINUTE));
afterAll(() => service.stop());

const OWNER = [
  'read',
  'bind',
  'manage_keys',
  'revoke_keys',
  'manage_endpoints',
  'disable_endpoints',
  'replay',
  'billing',
];

const ownerOf = async () => {
  const agency = await service.agency();
  const { owner_user_id: id } = await agency.change({});
  return { agency, owner: await Visitor.signedIn(service, { id, agency_id: agency.id }) };
};

describe('A person', () => {
  it('without an agency has a session, and nothing to see', async () => {
    const visitor = await Visitor.signedIn(service);
    expect(await visitor.session()).toMatchObject({ role: null, rights: [], agency: null, agencies: [] });
    expect((await visitor.get('/creators')).outcome).toBe('403 forbidden');
    expect((await visitor.get(`/creators?agency=${randomUUID()}`)).outcome).toBe('403 forbidden');
  });

  it('of two agencies chooses one, with each call', async () => {
    const [one, two, third] = [await service.agency(), await service.agency(), await service.agency()];
    const visitor = await Visitor.signedIn(service, { agency_id: [one.id, two.id] });
    expect((await visitor.get('/creators')).outcome).toBe('400 agency_choice_required');
    for (const { id } of [one, two]) expect((await visitor.get(`/creators?agency=${id}`)).status).toBe(200);
    expect((await visitor.get(`/creators?agency=${third.id}`)).outcome).toBe('403 forbidden');
    expect((await visitor.get(`/creators?agency=${one.id}&agency=${two.id}`)).outcome).toBe('400 invalid_request');
  });

  it('who is named the owner by the platform has the rights of one, also where the claims say less', async () => {
    const agency = await service.agency();
    const visitor = await Visitor.signedIn(service, { agency_id: agency.id });
    expect(await visitor.session()).toMatchObject({ role: 'member', rights: ['read'] });
    await agency.change({ owner_user_id: visitor.id });
    expect(await visitor.session()).toMatchObject({ role: 'owner', rights: OWNER, user: { id: visitor.id } });
  });

  it('who is the owner no more is signed out', async () => {
    const { agency, owner } = await ownerOf();
    expect(await owner.session()).toMatchObject({ role: 'owner', rights: OWNER });
    await agency.change({ owner_user_id: randomUUID() });
    expect((await owner.get('/creators')).outcome).toBe('401 session_required');
    expect((await owner.get('/session')).outcome).toBe('401 session_required');
    await owner.signIn();
    expect(await owner.session()).toMatchObject({ role: 'member', rights: ['read'] });
  });

  it('has the rights of a member while the platform cannot be asked, and sees that', async () => {
    const { agency, owner } = await ownerOf();
    const operator = await Visitor.signedIn(service, { roles: ['operator'] });
    const stranger = await Visitor.signedIn(service, { agency_id: 'agency_elsewhere' });
    await service.platform.fault({ operation: 'getAgency', kind: 'status' });
    const asMember = { role: 'member', rights: ['read'], platform_available: false };
    expect(await owner.session()).toMatchObject(asMember);
    expect(await operator.session(agency.id)).toMatchObject(asMember);
    expect(await stranger.session(agency.id)).toMatchObject({ agency: null, rights: [] });
    await service.platform.heal();
    expect(await owner.session()).toMatchObject({ role: 'owner', platform_available: true });
    expect(await operator.session(agency.id)).toMatchObject({
      role: 'operator',
      rights: ['read', 'revoke_keys', 'disable_endpoints', 'replay'],
    });
  });

  it('has 600 requests a minute, which are not those of the agency', async () => {
    const { agency, owner } = await ownerOf();
    const outcomes = new Map<string, number>();
    const count = async () => {
      const { outcome } = await owner.get('/session');
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    };
    await service.pass(MINUTE);
    for (let batch = 0; batch < 61; batch += 1) await Promise.all(Array.from({ length: 10 }, count));
    expect(Object.fromEntries(outcomes)).toEqual({ 200: 600, '429 rate_limited': 10 });
    expect((await agency.api.get('/v1/me')).status).toBe(200);
    await service.pass(MINUTE);
    expect((await owner.get('/session')).status).toBe(200);
  });

  it('can begin twenty logins a minute from one address', async () => {
    const visitor = await Visitor.known(service);
    await service.pass(MINUTE);
    const answers = [];
    for (let login = 0; login < 21; login += 1) {
      answers.push(await visitor.browser.request(`${service.url}/dashboard/login`));
    }
    expect(answers.map(({ status }) => status)).toEqual([...Array(20).fill(303), 429]);
    const refused = answers.at(-1);
    expect(refused?.headers.get('retry-after')).toBe('60');
    expect(await refused?.text()).toContain('Wait a minute');
  });

  it.each([
    ['as an image', { 'sec-fetch-dest': 'image', 'sec-fetch-mode': 'no-cors', 'sec-fetch-site': 'cross-site' }],
    ['in a frame', { 'sec-fetch-dest': 'iframe', 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'cross-site' }],
    ['by a script', { 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'cors', 'sec-fetch-site': 'same-origin' }],
    ['in advance', { 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate', 'sec-purpose': 'prefetch' }],
  ])('D109: begins no login that a site asks for %s, which costs its address nothing', async (_, headers) => {
    await service.pass(MINUTE);
    const ask = (sent: Readonly<Record<string, string>>) =>
      request(`${service.url}/dashboard/login`, { headers: { accept: 'text/html', ...sent } });
    for (let each = 0; each < 20; each++) {
      const refused = await ask(headers);
      const { 'content-type': type, 'set-cookie': cookies } = refused.headers;
      expect([refused.statusCode, type, cookies]).toEqual([403, 'text/html; charset=utf-8', undefined]);
      expect(await refused.body.text()).toContain('Try again');
    }
    expect((await ask({ 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate' })).statusCode).toBe(303);
  });
});

describe('The limit of an agency', () => {
  it('does not count what its people do at the dashboard (D10)', async () => {
    const limited = await Service.start({ provider: 'sandbox', env: { RATE_LIMIT_PER_MINUTE: '20' } });
    try {
      const agency = await limited.agency();
      await limited.pass(MINUTE);
      const visitor = await Visitor.signedIn(limited, { agency_id: agency.id });
      const headers = { authorization: `Bearer ${agency.api.secret}` };
      for (let request = 0; request < 30; request += 1) {
        expect((await visitor.send('GET', '/creators', { headers })).status).toBe(200);
      }
      const { headers: left } = await agency.api.get('/v1/me');
      expect(left['ratelimit-remaining']).toBe('19');
    } finally {
      await limited.stop();
    }
  });
});
