import { expect, it } from '@jest/globals';
import { keyListProjection } from '#agencies';
import { RequestLog } from '#dashboard';
import { newId } from '#kernel';
import { CALLS_BY_DAY } from '../../../libs/dashboard/src/requests/counted-calls.js';
import { REFUSED_REQUESTS } from '../../../libs/dashboard/src/requests/refused-requests.js';
import { KNOWN_FIELDS } from '../../support/known-fields.js';
import type { Agency } from '../support/agency.js';
import { DashboardPage, NO_PROVIDER } from '../support/dashboard-page.js';
import { recordDeadLetter } from '../support/lag.js';
import { startService } from '../support/start-service.js';

interface Refused {
  readonly request_id: string;
  readonly code: string;
  readonly route: string;
  readonly problems: readonly { readonly field: string; readonly rule: string }[];
}
interface List {
  readonly data: readonly Refused[];
  readonly next_cursor: string | null;
  readonly groups: readonly { readonly code: string; readonly route: string; readonly count: number }[];
}

const service = await startService({ provider: NO_PROVIDER });
const CANARY = 'IvyCalloway';

const memberOf = (agency: Agency) => DashboardPage.ofMember(service, agency);
const written = () => service.services.app.get(RequestLog, { strict: false }).write();

it('shows refused requests with their rule and remedy, grouped by code and route', async () => {
  const agency = await service.agency();
  const member = await memberOf(agency);
  await agency.api.get('/v1/me');
  await agency.api.get(`/v1/creators/${newId('creator')}`);
  await agency.api.get(`/v1/creators/${newId('creator')}`);
  const invalid = await agency.api.get('/v1/creators?limit=0');
  await written();
  const list = await member.got<List>('/requests');
  expect(list.data).toHaveLength(3);
  expect(list.data.find(({ request_id }) => request_id === invalid.headers['x-request-id'])).toMatchObject({
    route: 'GET /v1/creators',
    status: 400,
    code: 'invalid_request',
    key_id: agency.keyId,
    problems: [{ field: 'limit', rule: 'must be a whole number from 1 to 100' }],
    remedy: expect.stringContaining('Correct the named fields'),
  });
  expect(list.groups).toMatchObject([
    { code: 'not_found', route: 'GET /v1/creators/{id}', count: 2 },
    { code: 'invalid_request', route: 'GET /v1/creators', count: 1 },
  ]);
  expect((await member.got<List>('/requests?code=invalid_request')).data).toHaveLength(1);
  expect((await member.got<List>(`/requests?key=${newId('key')}`)).data).toEqual([]);
});

it('shows one with its rule, a line that repeats it without its values, and what the same key asked around it', async () => {
  const agency = await service.agency();
  const member = await memberOf(agency);
  const other = await agency.issueKey();
  const id = newId('creator');
  const answers = [];
  for (let n = 0; n < 7; n++) {
    answers.push(await agency.api.get(`/v1/creators/${id}`));
    service.clock.advance(1);
  }
  await other.api.get('/v1/creators?limit=0');
  const report = await agency.api.write('POST', `/v1/creators/${id}/impersonations`, { url: 'https://x.com/ivy' });
  await written();
  const requestId = String(report.headers['x-request-id']);
  interface Shown {
    readonly request: object | null;
    readonly around: readonly Refused[];
  }
  const shown = await member.got<Shown>(`/requests/${requestId}`);
  expect(shown.request).toMatchObject({
    request_id: requestId,
    route: 'POST /v1/creators/{id}/impersonations',
    code: 'invalid_request',
    problems: [{ field: 'Idempotency-Key', rule: expect.any(String) }],
    remedy: expect.stringContaining('Correct the named fields'),
    docs: `${service.url}/docs#section/Errors`,
    curl: `curl -i -X POST -H 'Authorization: Bearer svc_live_…' -H "Idempotency-Key: $(uuidgen)" -H 'Content-Type: application/json' -d '{…}' '${service.url}/v1/creators/{id}/impersonations'`,
  });
  expect(JSON.stringify(shown)).not.toContain(id);
  const before = answers.slice(2).map(({ headers }) => headers['x-request-id']);
  expect(shown.around.map(({ request_id }) => request_id)).toEqual([requestId, ...before.toReversed()]);
  const stranger = await memberOf(await service.agency());
  expect(await stranger.got<Shown>(`/requests/${requestId}`)).toEqual({ request: null, around: [] });
});

it('pages through them', async () => {
  const agency = await service.agency();
  const member = await memberOf(agency);
  for (let n = 0; n < 5; n++) await agency.api.get(`/v1/scans/${newId('scan')}`);
  await written();
  const first = await member.got<List>('/requests?limit=3');
  const rest = await member.got<List>(`/requests?limit=3&after=${first.next_cursor}`);
  const ids = [...first.data, ...rest.data].map(({ request_id }) => request_id);
  expect([new Set(ids).size, rest.next_cursor]).toEqual([5, null]);
});

it('holds nothing of what a request said, wherever it stood', async () => {
  const agency = await service.agency();
  const member = await memberOf(agency);
  const { api } = agency;
  await api.get(`/v1/creators/${CANARY}`);
  await api.get(`/v1/${CANARY}`);
  await api.get(`/v1/creators?${CANARY}=1&limit=${CANARY}`);
  await api.enroll({ [CANARY]: CANARY, external_id: CANARY, email: `${CANARY}@`, aliases: [` ${CANARY}`] });
  await api.get(`/v1/creators?limit[${CANARY}]=1`);
  await api.enroll({ ...agency.inviteBody(), [`aliases[${CANARY}]`]: 1, [`aliases[0]${CANARY}`]: 1 });
  await api.enroll({ ...agency.inviteBody(), aliases: ['Ivy', `\u0000${CANARY}`] });
  await api.enroll({ ...agency.inviteBody(), profile_urls: [`http://x.com/${CANARY}`] });
  await api.send('POST', '/v1/creators', {
    headers: { 'content-type': 'application/json' },
    body: `{"${CANARY}": 1, "${CANARY}": 2}`,
  });
  await api.write('POST', `/v1/creators/${newId('creator')}/impersonations`, { url: `https://x.com/${CANARY}é` });
  await written();
  const list = await member.got<List>('/requests');
  expect(list.data.length).toBeGreaterThanOrEqual(10);
  const problems = list.data.flatMap((each) => each.problems);
  expect(problems.length).toBeGreaterThan(5);
  expect(problems).toContainEqual({ field: 'aliases[1]', rule: expect.any(String) });
  const { documents } = service.services;
  const kept = await Promise.all([
    documents.find(REFUSED_REQUESTS.name, { index: 'agency', equals: [agency.id], limit: 1_000 }),
    documents.find(CALLS_BY_DAY.name, { index: 'calls', equals: [agency.id], limit: 1_000 }),
  ]);
  expect(JSON.stringify([list, kept])).not.toContain(CANARY);
  expect(JSON.stringify([list, kept])).not.toContain(api.secret);
});

it('shows the calls by minute and by hour, of all keys and of one', async () => {
  const agency = await service.agency();
  const member = await memberOf(agency);
  const other = await agency.issueKey();
  for (const api of [agency.api, agency.api, other.api]) await api.get('/v1/me');
  await written();
  interface Calls {
    readonly data: readonly { readonly at: number; readonly calls: number }[];
  }
  const sum = ({ data }: Calls) => data.reduce((total, { calls }) => total + calls, 0);
  for (const by of ['minute', 'hour']) {
    const calls = await member.got<Calls>(`/requests/calls?by=${by}`);
    expect(sum(calls)).toBe(3);
    expect(calls).toMatchObject({
      keys: [
        { key_id: agency.keyId, calls: 2 },
        { key_id: other.keyId, calls: 1 },
      ],
    });
    expect(sum(await member.got<Calls>(`/requests/calls?by=${by}&key=${other.keyId}`))).toBe(1);
  }
  expect(await member.get('/requests/calls?by=day')).toMatchObject({ status: 400 });
});

it('shows nothing of another agency, nor of an unknown key', async () => {
  const [agency, other] = [await service.agency(), await service.agency()];
  const member = await memberOf(agency);
  await other.api.get('/v1/creators?limit=0');
  await fetch(`${service.url}/v1/me`, { headers: { authorization: 'Bearer svc_live_unknown' } });
  await written();
  expect(await member.got('/requests')).toMatchObject({ data: [], groups: [] });
  expect(await member.get(`/requests?agency=${other.id}`)).toMatchObject({ status: 403 });
});

it('the names of fields that it may hold are those of the document', async () => {
  const document = JSON.stringify(await (await fetch(`${service.url}/openapi.json`)).json());
  const own = ['Host', 'body', 'request'];
  for (const name of KNOWN_FIELDS) if (!own.includes(name)) expect(document).toContain(`"${name}"`);
});

it('D67: the names of keys are shown while the list of keys is incomplete', async () => {
  const agency = await service.agency();
  const member = await memberOf(agency);
  await agency.api.get(`/v1/scans/${newId('scan')}`);
  await written();
  const { data: keys } = await member.got<{ data: readonly { readonly name: string }[] }>('/keys');
  await recordDeadLetter(service, agency, keyListProjection.name);
  await service.quiet();
  expect((await member.get('/keys')).status).toBe(503);
  const { data } = await member.got<List>('/requests');
  expect(data).toMatchObject([{ key_id: agency.keyId, key_name: keys[0]?.name }]);
});
