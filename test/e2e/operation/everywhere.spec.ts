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
