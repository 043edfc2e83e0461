import { describe, expect, it } from '@jest/globals';
import { ApiError, ConnectionError, CreatorProtectionError } from '../errors.js';
import { waitBeforeRetry } from './retry-wait.js';

const refusal = { message: '', details: [], requestId: null };
const apiError = (status: number, code: string, retryAfter: number | null = null) => {
  const response = new Response(null, { status, headers: { 'x-svc-mode': 'live' } });
  return new ApiError({ ...refusal, code }, response, retryAfter);
};
/** Answers of a proxy or load balancer in front of the service. */
const foreign = (status: number, retryAfter: number | null = null) =>
  new ApiError({ ...refusal, code: 'unexpected_response' }, new Response(null, { status }), retryAfter);

const row = (what: string, error: ApiError, isRepeated: boolean): [string, ApiError, boolean, boolean] => [
  what,
  error,
  isRepeated,
  isRepeated,
];

const longest = () => 1;
const shortest = () => 0;

describe('the wait before a repeat', () => {
  it.each([
    [1, 250, 500],
    [2, 500, 1_000],
    [4, 2_000, 4_000],
    [5, 4_000, 8_000],
    [50, 4_000, 8_000],
  ])('after try %i is between %i and %i ms', (attempt, least, most) => {
    const error = new ConnectionError('lost');
    expect(waitBeforeRetry(error, attempt, 'call', shortest)).toBe(least);
    expect(waitBeforeRetry(error, attempt, 'call', longest)).toBe(most);
  });

  it('adds to what the service asks for, so that not all clients come back together', () => {
    expect(waitBeforeRetry(apiError(429, 'rate_limited', 60), 1, 'call', shortest)).toBe(60_250);
    expect(waitBeforeRetry(apiError(503, 'provider_unavailable', 1), 1, 'call', longest)).toBe(1_500);
  });

  it.each<[string, CreatorProtectionError, boolean, boolean]>([
    ['a lost connection', new ConnectionError('lost'), true, true],
    ['408', apiError(408, 'request_timeout'), true, true],
    ['429 of a proxy', foreign(429), true, true],
    ...[425, 507, 520, 525, 529, 530].map((status) => row(`${status}`, apiError(status, 'x'), true)),
    ...[200, 302, 401, 404, 500, 599].map((status) => row(`${status} of a proxy`, foreign(status), true)),
    ...[500, 501, 519, 531].map((status) => row(`${status} of the service`, apiError(status, 'x'), false)),
    ['503 of a proxy that asks for more than a minute', foreign(503, 61), false, true],
    ['502', apiError(502, 'provider_invalid_response'), true, true],
    ['503', apiError(503, 'agency_verification_unavailable'), true, true],
    ['504', apiError(504, 'provider_timeout'), true, true],
    ['429 that asks for more than a minute', apiError(429, 'rate_limited', 61), false, true],
    ['a success in another form', apiError(200, 'unexpected_response'), false, false],
    ['scan_limit_reached', apiError(429, 'scan_limit_reached', 5), false, false],
    ['401', apiError(401, 'unauthorized'), false, false],
    ['400', apiError(400, 'invalid_request'), false, false],
    ['an error of another kind', new CreatorProtectionError('wrong'), false, false],
  ])('after %s: a call has one %s, a follower %s (D117)', (_what, error, ofCall, ofFollower) => {
    expect(waitBeforeRetry(error, 1, 'call', longest) !== undefined).toBe(ofCall);
    expect(waitBeforeRetry(error, 1, 'follower', longest) !== undefined).toBe(ofFollower);
  });

  it('of a follower is an hour at most', () => {
    expect(waitBeforeRetry(apiError(429, 'rate_limited', 1e9), 1, 'follower', longest)).toBe(3_600_500);
  });
});
