import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { ApiError, ConnectionError, CreatorProtectionError, TimeoutError } from '../errors.js';
import type { Retry } from '../options.js';
import {
  answered,
  brokenOff,
  failureOf,
  GET,
  KEY,
  type Outcome,
  opened,
  own,
  POST,
  refused,
  ScriptedService,
} from '../scripted-service.fixtures.js';
import { waitBeforeRetry } from './retry-wait.js';
import { Transport } from './transport.js';

describe('a request', () => {
  it('has the key, the package and nothing more where it has no body', async () => {
    const service = new ScriptedService(answered({ id: 1 }));
    const { transport } = opened(service);
    expect(await transport.send(GET)).toMatchObject({ data: { id: 1 }, requestId: 'req-1' });
    const [{ method, path, headers, body } = {}] = service.sent;
    expect([method, path, body]).toEqual(['GET', '/base/v1/me', null]);
    expect([...(headers ?? [])]).toEqual([
      ['authorization', `Bearer ${KEY}`],
      ['user-agent', expect.stringMatching(/^creator-protection-client\/\d+\.\d+\.\d+$/)],
    ]);
  });

  it('has only the parameters that are given', async () => {
    const service = new ScriptedService(answered({ id: 1 }));
    await opened(service).transport.send({ ...GET, query: { limit: 5, after: undefined, month: '2026 11&' } });
    expect(service.sent[0]?.path).toBe('/base/v1/me?limit=5&month=2026%2011%26');
  });

  it('is sent again with the same bytes and the same idempotency key', async () => {
    const service = new ScriptedService(brokenOff(), refused(503, 'provider_unavailable'), answered({ id: 1 }, 202));
    const { transport, clock } = opened(service);
    expect((await transport.send(POST)).response.status).toBe(202);
    const sent = service.sent.map(({ body, headers }) => [
      body,
      headers.get('idempotency-key'),
      headers.get('content-type'),
    ]);
    expect(sent).toEqual(Array.from({ length: 3 }, () => ['{"é":1}', 'key-1', 'application/json']));
    expect(clock.waits).toEqual([500, 1_000]);
  });

  it('has an idempotency key of any script', async () => {
    const service = new ScriptedService(answered({ id: 1 }));
    await opened(service).transport.send({ ...POST, idempotencyKey: 'ключ é' });
    const sent = service.sent[0]?.headers.get('idempotency-key') ?? '';
    expect(Buffer.from(sent, 'latin1').toString()).toBe('ключ é');
  });

  it('with an idempotency key that no header can have is an error of the caller, and is not sent', async () => {
    const service = new ScriptedService(answered({}));
    const error = await failureOf(opened(service).transport.send({ ...POST, idempotencyKey: 'a\nb' }));
    expect([(error as Error).name, service.sent]).toEqual(['TypeError', []]);
  });

  it('reports each wait before a repeat', async () => {
    const retries: Retry[] = [];
    const service = new ScriptedService(refused(429, 'rate_limited', { 'retry-after': '7' }), answered({ id: 1 }));
    await opened(service, { onRetry: (retry) => retries.push(retry) }).transport.send(GET);
    expect(retries).toEqual([
      {
        method: 'GET',
        path: '/v1/me',
        attempt: 1,
        wait: 7_500,
        error: expect.objectContaining({ code: 'rate_limited' }),
      },
    ]);
  });
});

describe('a call ends', () => {
  it('with the error, when its repeats are used up', async () => {
    const service = new ScriptedService(refused(502, 'provider_invalid_response'));
    const { transport } = opened(service, { maxRetries: 2 });
    expect(await failureOf(transport.send(GET))).toMatchObject({ code: 'provider_invalid_response', attempts: 3 });
    expect(await failureOf(transport.send(GET, { options: { maxRetries: 0 } }))).toMatchObject({ attempts: 1 });
  });

  it('with the error, when the next try would come after the deadline', async () => {
    const { transport, clock } = opened(new ScriptedService(brokenOff()), { deadline: 5_000, maxRetries: 100 });
    expect(await failureOf(transport.send(GET))).toMatchObject({ name: 'ConnectionError', attempts: 4 });
    expect(clock.waits).toEqual([500, 1_000, 2_000]);
    expect(await failureOf(transport.send(GET, { options: { deadline: 100 } }))).toMatchObject({ attempts: 1 });
  });

  it('after two minutes by default', async () => {
    const { transport, clock } = opened(new ScriptedService(brokenOff()));
    expect(await failureOf(transport.send(GET))).toMatchObject({ attempts: 19 });
    expect(clock.now()).toBeLessThan(120_000);
  });

  it.each([
    [429, 'scan_limit_reached', '86399'],
    [429, 'rate_limited', '61'],
    [400, 'invalid_request', undefined],
    [500, 'internal_error', undefined],
    [409, 'scan_in_progress', undefined],
  ])('immediately with %i %s and Retry-After %s', async (status, code, wait) => {
    const service = new ScriptedService(refused(status, code, wait === undefined ? {} : { 'retry-after': wait }));
    const { transport, clock } = opened(service);
    const retryAfter = wait === undefined ? null : Number(wait);
    expect(await failureOf(transport.send(GET))).toMatchObject({ code, status, retryAfter, attempts: 1 });
    expect(clock.waits).toEqual([]);
  });

  it('when no answer comes within the timeout of each try', async () => {
    const { transport } = opened(new ScriptedService('silence'), { timeout: 20, maxRetries: 1 });
    const error = await failureOf(transport.send(GET));
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ attempts: 2, message: 'No answer came within 20 ms.' });
    expect(await failureOf(transport.send(GET, { options: { timeout: 10, maxRetries: 0 } }))).toMatchObject({
      message: 'No answer came within 10 ms.',
    });
  });

  it('when the deadline passes within a try', async () => {
    const { transport } = opened(new ScriptedService('silence'), { deadline: 20 });
    expect(await failureOf(transport.send(GET))).toMatchObject({ name: 'TimeoutError', attempts: 1 });
  });

  it('with the reason of the signal, during a try', async () => {
    const controller = new AbortController();
    const { transport } = opened(new ScriptedService('silence'));
    const failure = failureOf(transport.send(GET, { options: { signal: controller.signal } }));
    controller.abort('enough');
    expect(await failure).toBe('enough');
  });

  it('with the reason of the signal, during a wait and before the first try', async () => {
    const controller = new AbortController();
    const service = new ScriptedService(brokenOff());
    const { transport } = opened(service, { onRetry: () => controller.abort(new Error('enough')) });
    const send = () => failureOf(transport.send(GET, { options: { signal: controller.signal } }));
    expect([await send(), await send()]).toEqual([new Error('enough'), new Error('enough')]);
    expect(service.sent).toHaveLength(1);
  });
});

describe('the options', () => {
  const options = { baseUrl: 'https://protection.example', apiKey: KEY };

  it.each(['', 'protection.example', 'ftp://x', 'https://u:p@x', 'https://:p@x', 'https://x?a=1', 'https://x#a'])(
    'refuse the URL %j',
    (baseUrl) => {
      expect(() => new Transport({ ...options, baseUrl })).toThrow(TypeError);
    },
  );

  it.each(['', '  ', 'svc_live_a b', 'svc_live_a\u2026', undefined as unknown as string])(
    'refuse the key %j without showing it',
    (apiKey) => {
      expect(() => new Transport({ ...options, apiKey })).toThrow('apiKey must be the key as it was shown: svc_live_…');
    },
  );

  it.each([{ timeout: Number.NaN }, { deadline: '120000' as unknown as number }, { maxRetries: -1 }])(
    'refuse %j, of the client and of a call',
    async (limits) => {
      expect(() => new Transport({ ...options, ...limits })).toThrow(TypeError);
      const sent = opened(new ScriptedService(answered({}))).transport.send(GET, { options: limits });
      expect(await failureOf(sent)).toMatchObject({ name: 'TypeError' });
    },
  );

  it('may be given as undefined (D117)', async () => {
    const options = { maxRetries: undefined, timeout: undefined, deadline: undefined, signal: undefined };
    const service = new ScriptedService(brokenOff(), answered({ id: 1 }));
    const { transport } = opened(service, { ...options, fetch: service.fetch, onRetry: undefined });
    expect(await transport.send(GET, { options })).toMatchObject({ data: { id: 1 } });
  });

  it('hold also where a fetch does not heed its signal', async () => {
    const { transport } = opened(new ScriptedService(), { fetch: () => new Promise(() => undefined), timeout: 5 });
    expect(await failureOf(transport.send(GET, { options: { maxRetries: 0 } }))).toBeInstanceOf(TimeoutError);
  });

  it('take a key as a file has it, and a URL object', async () => {
    const service = new ScriptedService(answered({ id: 1 }));
    const baseUrl = new URL('http://127.0.0.1:3000');
    await new Transport({ baseUrl, apiKey: `${KEY}\n`, fetch: service.fetch }).send(GET);
    expect(service.sent[0]?.headers.get('authorization')).toBe(`Bearer ${KEY}`);
  });
});

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

describe('the error of a call with an idempotency key (D117)', () => {
  const HINT = 'It may have had an effect: a repeat with the idempotencyKey "key-1" settles it.';
  const failureAfter = (...outcomes: Outcome[]) =>
    failureOf(
      opened(new ScriptedService(...outcomes), { maxRetries: outcomes.length - 1, timeout: 20 }).transport.send(POST),
    );

  it.each<[string, () => Outcome[]]>([
    ['a lost connection', () => [brokenOff()]],
    ['a timeout', () => ['silence']],
    ['an internal error', () => [refused(500, 'internal_error')]],
    ['an outage', () => [refused(504, 'provider_timeout')]],
    ['a page of a proxy', () => [new Response('<html>', { status: 404 })]],
    ['a success in another form', () => [answered({})]],
    ['a success that broke off', () => [own('{"id":', 'application/json')]],
    ['a refusal after a lost connection', () => [brokenOff(), refused(401, 'unauthorized')]],
    ['a limit after a lost connection', () => [brokenOff(), refused(429, 'scan_limit_reached')]],
  ])('has the key, and says that a repeat settles it: %s', async (_what, outcomes) => {
    const error = await failureAfter(...outcomes());
    expect(error).toMatchObject({ idempotencyKey: 'key-1', message: expect.stringContaining(`. ${HINT}`) });
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({ idempotencyKey: 'key-1' });
    // As a console shows it.
    expect(inspect(error)).toContain(HINT);
  });

  it('has the key, but nothing to settle after a refusal of its only try', async () => {
    const error = (await failureAfter(refused(409, 'scan_in_progress'))) as ApiError;
    expect(error).toMatchObject({ idempotencyKey: 'key-1', code: 'scan_in_progress' });
    expect(error.message).toBe('The message of scan_in_progress. (409 scan_in_progress, request req-1)');
  });

  it('shows a key with the characters of a replacement as it is', async () => {
    const { transport } = opened(new ScriptedService(brokenOff()), { maxRetries: 0 });
    const error = await failureOf(transport.send({ ...POST, idempotencyKey: '$& "1"' }));
    expect(inspect(error)).toContain('the idempotencyKey "$& \\"1\\"" settles it');
  });

  it('is there when the signal ends the call during a try, with the reason as its cause', async () => {
    const controller = new AbortController();
    const { transport } = opened(new ScriptedService('silence'));
    const failure = failureOf(transport.send(POST, { options: { signal: controller.signal } }));
    controller.abort('enough');
    expect(await failure).toMatchObject({
      name: 'ConnectionError',
      idempotencyKey: 'key-1',
      cause: 'enough',
      attempts: 1,
    });
  });

  it('is there when the signal or onRetry ends the call in a wait', async () => {
    const controller = new AbortController();
    const options = { signal: controller.signal };
    const aborting = opened(new ScriptedService(brokenOff()), { onRetry: () => controller.abort('enough') });
    const failure = await failureOf(aborting.transport.send(POST, { options }));
    expect(failure).toMatchObject({ idempotencyKey: 'key-1', cause: 'enough', message: expect.stringContaining(HINT) });
    const throwing = opened(new ScriptedService(brokenOff()), {
      onRetry: () => {
        throw new Error('enough');
      },
    });
    expect(await failureOf(throwing.transport.send(POST))).toMatchObject({ idempotencyKey: 'key-1' });
    // A request that was not sent has no effect.
    expect(await failureOf(aborting.transport.send(POST, { options }))).toBe('enough');
  });
});
