import { expect, test } from '@jest/globals';
import { ApiClient } from '../support/api-client.js';
import { startService } from '../support/start-service.js';

// That headers and envelopes are right is checked for every response of the suite: see support/holds-everywhere.ts;
// that each route checks key, allowance, agency, scope, input and id in this order: see matrix.spec.ts.
const service = await startService();
const agency = await service.agency();
const { api } = agency;
const stranger = new ApiClient(() => service.url, 'svc_live_nobody');
const creator = await agency.linked();

const JSON_TYPE = { 'content-type': 'application/json' };
const BROKEN = { headers: JSON_TYPE, body: '{"status":' };
const protection = `/v1/creators/${creator.id}/protection`;

test('the service makes the request id, and does not trust an inbound one (D4)', async () => {
  const { headers } = await api.get('/v1/me', { 'x-request-id': 'mine', 'request-id': 'mine' });
  expect(headers['x-request-id']).not.toBe('mine');
});

test.each(['/v1', '/v1/', '/v2/me', '/v1/nothing', '/v1/me/', '/v1/creators/x/nothing', '/V1/me'])(
  'the unknown route %s is 404 and named, in the one envelope, with a key and without (D4, D116)',
  async (path) => {
    const refused = await api.get(path);
    expect(refused.outcome).toBe('404 not_found');
    expect(refused.body).toMatchObject({ error: { message: `There is no such route: GET ${path}` } });
    expect((await stranger.get(path)).outcome).toBe('404 not_found');
    expect((await stranger.send('POST', path, { headers: JSON_TYPE, body: '{' })).outcome).toBe('404 not_found');
  },
);

test.each([
  ['PUT', '/v1/me', 'GET, HEAD'],
  ['DELETE', '/v1/workspaces/x', 'GET, HEAD'],
  ['PUT', '/v1/creators', 'GET, HEAD, POST'],
  ['POST', protection, 'PUT'],
  ['POST', '/v1/scans/x', 'GET, HEAD'],
  ['PATCH', '/v1/events', 'GET, HEAD'],
  ['OPTIONS', '/v1/me', 'GET, HEAD'],
])('%s %s is 405 and names what the path has (D2, D64)', async (method, path, allow) => {
  const refused = await api.send(method, path, { headers: { origin: 'https://example.com' } });
  expect(refused.outcome).toBe('405 method_not_allowed');
  expect(refused.headers.allow).toBe(allow);
});

test('the input is checked before the resource is looked up (D1)', async () => {
  const unknown = '/v1/creators/crt_00000000000000000000000000';
  expect((await api.send('PUT', `${unknown}/protection`, BROKEN)).outcome).toBe('400 invalid_request');
  expect((await api.get(`${unknown}?limit=5`)).outcome).toBe('400 invalid_request');
  expect((await api.write('POST', `${unknown}/scans`, {})).outcome).toBe('400 invalid_request');
  expect((await api.write('PUT', `${unknown}/protection`, { status: 'active' })).outcome).toBe('404 not_found');
});

test.each([
  ['of another kind', () => `/v1/creators/${creator.id.replace('crt_', 'scn_')}`],
  ['in upper case', () => `/v1/creators/${creator.id.toUpperCase()}`],
  ['cut short', () => `/v1/creators/${creator.id.slice(0, -1)}`],
  ['beyond 128 bits', () => '/v1/creators/crt_80000000000000000000000000'],
  ['with a slash in it', () => `/v1/creators/${creator.id}%2Fx`],
  ['with a zero byte', () => `/v1/creators/${creator.id}%00`],
  ['of a native user', () => `/v1/creators/${creator.userId}`],
  ['very long', () => `/v1/creators/${'x'.repeat(4_000)}`],
  ['as long as a request may be', () => `/v1/creators/${'x'.repeat(15_000)}`],
  ['that is no id', () => '/v1/scans/constructor'],
  ['of another workspace', () => '/v1/workspaces/wsp_00000000000000000000000000'],
])('an id %s is 404, and is not looked up without a key (D1, D9)', async (_, path) => {
  expect((await api.get(path())).outcome).toBe('404 not_found');
  expect((await stranger.get(path())).outcome).toBe('401 unauthorized');
});
