import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { RequestLog } from '#dashboard';
import { DAY, newId } from '#kernel';
import type { Agency } from '../support/agency.js';
import { ApiClient } from '../support/api-client.js';
import { DashboardPage, NO_PROVIDER } from '../support/dashboard-page.js';
import { startService } from '../support/start-service.js';

interface Key {
  readonly id: string;
  readonly name: string | null;
  readonly status: string;
}
interface Created {
  readonly id: string;
  readonly secret: string;
}

const service = await startService({ provider: NO_PROVIDER });

const open = async (agency: Agency) => ({
  owner: await DashboardPage.ofOwner(service, agency),
  member: await DashboardPage.ofMember(service, agency),
  operator: await DashboardPage.of(service, { roles: ['operator'] }),
});
const written = () => service.services.app.get(RequestLog, { strict: false }).write();
const created = async (owner: DashboardPage, body: object) => {
  const { status, body: key } = await owner.send<Created>('POST', '/keys', body);
  expect(status).toBe(201);
  return key;
};

it('the owner creates a key that works, whose secret no other answer shows', async () => {
  const agency = await service.agency();
  const { owner } = await open(agency);
  const key = await created(owner, { name: 'backend', preset: 'read_only', lifetime: '30d' });
  expect(key).toMatchObject({ expires_at: service.clock.now() + 30 * DAY, scopes: expect.any(Array) });
  const backend = new ApiClient(() => service.url, key.secret);
  expect(await backend.got('/v1/me')).toMatchObject({ key_id: key.id });
  const list = await owner.got<{ data: Key[] }>('/keys');
  expect(JSON.stringify(list)).not.toContain(key.secret);
  // Keys that were issued in the same millisecond have no order.
  const issued = list.data.find(({ id }) => id === key.id);
  expect(issued).toMatchObject({ name: 'backend', preset: 'read_only', status: 'active' });
});

it.each([
  [{ preset: 'read_only', name: 'backend' }, 'lifetime'],
  [{ preset: 'all', lifetime: 'none', name: 'backend' }, 'preset'],
  [{ preset: 'read_only', lifetime: 'none' }, 'name'],
  [{ preset: 'read_only', lifetime: 'none', name: '' }, 'name'],
  [{ preset: 'read_only', lifetime: 'none', name: 'x'.repeat(81) }, 'name'],
  [{ preset: 'read_only', lifetime: 'none', name: 'backend', scopes: [] }, 'scopes'],
])('a key of %j is refused for its %s', async (body, field) => {
  const { owner } = await open(await service.agency());
  const answer = await owner.send('POST', '/keys', body);
  expect(answer).toMatchObject({ status: 400, body: { error: { details: [{ field }] } } });
});

it('shows the calls of each key, by route and whole, and since when uses are recorded', async () => {
  const agency = await service.agency();
  const { owner } = await open(agency);
  await agency.api.get('/v1/me');
  await agency.api.get('/v1/creators');
  await agency.api.get(`/v1/creators/${newId('creator')}`);
  await agency.api.get('/v1/nothing/like/this');
  await agency.api.get('/v1/creators?limit=1');
  await written();
  const [key] = (await owner.got<{ data: Key[] }>('/keys')).data;
  expect(key).toMatchObject({ calls_24h: 5, calls_7d: 5, last_used_at: expect.any(Number) });
  expect(key).toMatchObject({ uses_recorded_since: expect.any(Number) });
  expect(await owner.got(`/keys/${key?.id}`)).toMatchObject({
    created_by: { actor: expect.any(String) },
    calls: expect.arrayContaining([
      { route: 'GET /v1/creators', calls: 2 },
      { route: 'GET /v1/creators/{id}', calls: 1 },
      { route: 'GET /v1/me', calls: 1 },
      { route: 'no such route', calls: 1 },
    ]),
  });
});

it('counts of two processes are one sum, and a stop loses none', async () => {
  const agency = await service.agency();
  const { owner } = await open(agency);
  const another = await service.startApi();
  const elsewhere = new ApiClient(() => another.url, agency.api.secret);
  await Promise.all([agency.api.get('/v1/me'), elsewhere.get('/v1/me'), elsewhere.get('/v1/me')]);
  await another.stop();
  await written();
  expect((await owner.got<{ data: Key[] }>('/keys')).data).toMatchObject([{ calls_7d: 3 }]);
});

it('revokes a key from the next request on; a member may not, an operator may', async () => {
  const agency = await service.agency();
  const { owner, member, operator } = await open(agency);
  const revoke = (visitor: DashboardPage, id: string) => visitor.send('DELETE', `/keys/${id}?agency=${agency.id}`);
  const [first, second] = [await agency.issueKey(), await agency.issueKey()];
  expect(await revoke(member, first.keyId)).toMatchObject({ status: 403, body: { error: { code: 'forbidden' } } });
  expect(await revoke(owner, first.keyId)).toMatchObject({ status: 200, body: { id: first.keyId } });
  expect(await revoke(operator, second.keyId)).toMatchObject({ status: 200 });
  for (const { api } of [first, second]) expect((await api.get('/v1/me')).status).toBe(401);
  const { data } = await owner.got<{ data: Key[] }>('/keys');
  expect(data.map(({ status }) => status)).toEqual(['active', 'revoked', 'revoked']);
});

it('keys of another agency are not found', async () => {
  const [agency, other] = [await service.agency(), await service.agency()];
  const { owner } = await open(agency);
  for (const id of [other.keyId, newId('key'), newId('creator'), 'x']) {
    expect(await owner.get(`/keys/${id}`)).toMatchObject({ status: 404 });
    expect(await owner.send('DELETE', `/keys/${id}`)).toMatchObject({ status: 404 });
  }
  expect((await other.api.get('/v1/me')).status).toBe(200);
});

it('keys of an earlier binding say so, and an agency that is not bound has none', async () => {
  const agency = await service.agency();
  const next = await agency.transferOwnership();
  const { owner } = await open(next);
  const { data } = await owner.got<{ data: Key[] }>('/keys');
  expect(data.map(({ status }) => status)).toEqual(['active', 'earlier_binding']);
  const userId = randomUUID();
  await service.platform.control('PATCH', '/agencies/agency_new', { owner_user_id: userId });
  const young = await DashboardPage.of(service, { userId, agencies: ['agency_new'] });
  expect(await young.got('/keys')).toEqual({ data: [], next_cursor: null });
});

it('pages through many keys, those that work first', async () => {
  const agency = await service.agency();
  const { owner } = await open(agency);
  for (let n = 0; n < 4; n++) await agency.issueKey({ name: `key ${n}` });
  await agency.revokeKey(agency.keyId);
  await service.quiet();
  const first = await owner.got<{ data: Key[]; next_cursor: string }>('/keys?limit=3');
  const rest = await owner.got<{ data: Key[] }>(`/keys?limit=3&after=${first.next_cursor}`);
  const statuses = [...first.data, ...rest.data].map(({ status }) => status);
  expect(statuses).toEqual(['active', 'active', 'active', 'active', 'revoked']);
  expect(rest).toMatchObject({ next_cursor: null });
  expect(await owner.get('/keys?after=nothing')).toMatchObject({ status: 400 });
});
