import { afterAll, expect, test } from '@jest/globals';
import { MINUTE, SECOND } from '#kernel';
import { ApiClient } from '../support/api-client.js';
import type { Exchange } from '../support/exchange.js';
import { checkHoldsEverywhere } from '../support/holds-everywhere.js';
import { sendRaw } from '../support/raw-http.js';
import { startService } from '../support/start-service.js';

const PER_MINUTE = 5;
const service = await startService({ env: { RATE_LIMIT_PER_MINUTE: `${PER_MINUTE}` } });

/** Another API process on the same stores. */
const other = await service.openAnother();
const otherApi = await other.startApi();
afterAll(async () => {
  await otherApi.stop();
  await other.close();
});

const limitsOf = ({ status, headers }: Exchange) => ({
  status,
  limit: headers['ratelimit-limit'],
  remaining: headers['ratelimit-remaining'],
  reset: headers['ratelimit-reset'],
  retryAfter: headers['retry-after'],
});

/** To the beginning of the next minute. */
const nextMinute = () => service.clock.advance(MINUTE - (service.clock.now() % MINUTE));

test('an agency has a number of requests in each UTC minute, and sees how many are left (D10)', async () => {
  const { api } = await service.agency();
  nextMinute();
  service.clock.advance(20 * SECOND);
  for (let left = PER_MINUTE - 1; left >= 0; left--) {
    const within = { status: 200, limit: '5', remaining: `${left}`, reset: '40', retryAfter: undefined };
    expect(limitsOf(await api.get('/v1/me'))).toEqual(within);
  }
  const refused = await api.get('/v1/me');
  expect(refused.outcome).toBe('429 rate_limited');
  expect(limitsOf(refused)).toEqual({ status: 429, limit: '5', remaining: '0', reset: '40', retryAfter: '40' });
  service.clock.advance(40 * SECOND - 1);
  expect(limitsOf(await api.get('/v1/me'))).toMatchObject({ status: 429, reset: '1', retryAfter: '1' });
  service.clock.advance(1);
  expect(limitsOf(await api.get('/v1/me'))).toMatchObject({ status: 200, remaining: '4', reset: '60' });
});

test('all keys of an agency share its requests, and no other agency does (D10)', async () => {
  const agency = await service.agency();
  const second = await agency.issueKey();
  const stranger = await service.agency();
  nextMinute();
  for (const api of [agency.api, second.api, agency.api, second.api, agency.api]) {
    expect((await api.get('/v1/me')).status).toBe(200);
  }
  expect((await second.api.get('/v1/me')).outcome).toBe('429 rate_limited');
  expect((await stranger.api.get('/v1/me')).status).toBe(200);
});

test('all API processes count together (D10)', async () => {
  const { api } = await service.agency();
  const elsewhere = new ApiClient(() => otherApi.url, api.secret);
  nextMinute();
  const all = await Promise.all(Array.from({ length: 12 }, (_, index) => (index % 2 ? api : elsewhere).get('/v1/me')));
  expect(all.filter(({ status }) => status === 200)).toHaveLength(PER_MINUTE);
  expect(all.filter(({ outcome }) => outcome === '429 rate_limited')).toHaveLength(12 - PER_MINUTE);
});

test('every request with a valid key counts, with any outcome, and one without does not (D1, D10)', async () => {
  const agency = await service.agency();
  const readOnly = await agency.issueKey({ preset: 'read_only' });
  nextMinute();
  const outcomes = [
    await agency.api.get('/v1/creators/crt_00000000000000000000000000'),
    await agency.api.get('/v1/events?limit=0'),
    await readOnly.api.write('POST', '/v1/creators', {}),
    await agency.change({ kyc_status: 'pending' }).then(() => agency.api.get('/v1/me')),
  ];
  expect(outcomes.map(({ outcome }) => outcome)).toEqual([
    '404 not_found',
    '400 invalid_request',
    '403 forbidden',
    '403 agency_kyc_required',
  ]);
  expect(outcomes.map(({ headers }) => headers['ratelimit-remaining'])).toEqual(['4', '3', '2', '1']);
  const unknown = new ApiClient(() => service.url, `svc_live_${'x'.repeat(43)}`);
  expect(limitsOf(await unknown.get('/v1/me'))).toMatchObject({ status: 401, limit: undefined, remaining: undefined });
  expect(limitsOf(await agency.api.get('/v1/me'))).toMatchObject({ status: 403, remaining: '0' });
  expect((await agency.api.get('/v1/me')).outcome).toBe('429 rate_limited');
});

const JSON_TYPE = { 'content-type': 'application/json' };
const raw = async (secret: string, ...lines: string[]) => {
  const head = [...lines, `authorization: Bearer ${secret}`, 'connection: close'];
  const answer = await sendRaw(service.url, `${head.join('\r\n')}\r\n\r\n`);
  checkHoldsEverywhere(answer);
  return answer;
};

test.each<[string, string, (api: ApiClient) => Promise<Exchange>]>([
  ['an unknown route', '404 not_found', (api) => api.get('/v1/nothing')],
  ['another method', '405 method_not_allowed', (api) => api.send('DELETE', '/v1/me')],
  [
    'a body that is too large',
    '413 payload_too_large',
    (api) => api.send('POST', '/v1/creators', { headers: JSON_TYPE, body: ' '.repeat(16_385) }),
  ],
  ['another media type', '415 unsupported_media_type', (api) => api.send('POST', '/v1/creators', { body: 'x' })],
  [
    'a path with a broken escape',
    '404 not_found',
    ({ secret }) => raw(secret, 'GET /v1/creators/%zz HTTP/1.1', 'host: x'),
  ],
  [
    'an absolute URL without a host',
    '400 invalid_request',
    ({ secret }) => raw(secret, 'GET http:///v1/me HTTP/1.1', 'host: x'),
  ],
  ['no host', '400 invalid_request', ({ secret }) => raw(secret, 'GET /v1/me HTTP/1.1')],
])('with a valid key %s counts, and is %s only as long as there is some left (D10)', async (_, outcome, ask) => {
  const { api } = await service.agency();
  nextMinute();
  for (let left = PER_MINUTE - 1; left >= 0; left--) {
    const answer = await ask(api);
    expect([answer.outcome, limitsOf(answer).remaining]).toEqual([outcome, `${left}`]);
  }
  expect((await api.get('/v1/me')).outcome).toBe('429 rate_limited');
  const refused = await ask(api);
  expect([refused.outcome, limitsOf(refused).retryAfter]).toEqual(['429 rate_limited', '60']);
  const stranger = await ask(new ApiClient(() => service.url, 'svc_live_nobody'));
  expect([stranger.status, limitsOf(stranger).limit]).toEqual([expect.any(Number), undefined]);
});
