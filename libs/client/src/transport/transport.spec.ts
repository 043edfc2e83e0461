import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { ApiError, ConnectionError, TimeoutError } from '../errors.js';
import type { ClientOptions, Retry } from '../options.js';
import { answered, brokenOff, FakeRetryClock, KEY, refused, ScriptedService } from '../scripted-service.fixtures.js';
import type { ApiRequest } from './request.js';
import { Transport } from './transport.js';

const GET: ApiRequest = { method: 'GET', path: '/v1/me' };
const POST: ApiRequest = { method: 'POST', path: '/v1/creators/crt_1/scans', body: { é: 1 }, idempotencyKey: 'key-1' };

const opened = (service: ScriptedService, options: Partial<ClientOptions> = {}) => {
  const clock = new FakeRetryClock();
  const all = { baseUrl: 'https://protection.example/base/', apiKey: KEY, fetch: service.fetch, ...options };
  return { clock, transport: new Transport(all, clock) };
};

const failureOf = async (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => undefined,
    (error) => error,
  );

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
    const service = new ScriptedService(answered({}));
    await opened(service).transport.send({ ...GET, query: { limit: 5, after: undefined, month: '2026 11&' } });
    expect(service.sent[0]?.path).toBe('/base/v1/me?limit=5&month=2026%2011%26');
  });

  it('is sent again with the same bytes and the same idempotency key', async () => {
    const service = new ScriptedService(brokenOff(), refused(503, 'provider_unavailable'), answered({}, 202));
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
    const service = new ScriptedService(answered({}));
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
    const service = new ScriptedService(refused(429, 'rate_limited', { 'retry-after': '7' }), answered({}));
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

describe('an answer', () => {
  const failureOn = (response: Response) =>
    failureOf(opened(new ScriptedService(response), { maxRetries: 0 }).transport.send(GET));

  it('that is a page of a proxy has the code unexpected_response, and can be read', async () => {
    const response = new Response('<h1>Bad gateway</h1>', { status: 502, headers: { 'retry-after': 'soon' } });
    const error = (await failureOn(response)) as ApiError;
    expect(error).toMatchObject({ code: 'unexpected_response', status: 502, requestId: null, retryAfter: null });
    expect(error.message).toContain('<h1>Bad gateway</h1>');
    expect(await error.response.text()).toBe('<h1>Bad gateway</h1>');
  });

  it.each([{}, { error: 'no' }, null, { error: { code: 'x', details: 'no' } }])(
    'of status 400 that is %j is unexpected',
    async (body) => {
      expect(await failureOn(answered(body, 400))).toMatchObject({ code: 'unexpected_response', status: 400 });
    },
  );

  it('that succeeds with a web page says so, and is not repeated', async () => {
    expect(await failureOn(new Response('<html>', { headers: { 'content-type': 'text/html' } }))).toMatchObject({
      code: 'unexpected_response',
      status: 200,
      message: expect.stringContaining('JSON was expected, and not text/html'),
    });
    expect(await failureOn(new Response(null, { status: 204 }))).toMatchObject({ status: 204 });
    for (const body of [null, 1])
      expect(await failureOn(answered(body))).toMatchObject({ code: 'unexpected_response' });
  });

  it('that redirects is an error, which names the other address', async () => {
    const response = new Response(null, { status: 307, headers: { location: 'https://elsewhere.example' } });
    expect(await failureOn(response)).toMatchObject({
      code: 'unexpected_response',
      status: 307,
      message: expect.stringContaining('https://elsewhere.example'),
    });
    const opaque = new Response(null, { status: 307 });
    expect(await failureOn(opaque)).toMatchObject({ message: expect.stringContaining('another address') });
  });

  it('that has a status of no service is unexpected', async () => {
    expect(await failureOn(Response.error())).toMatchObject({
      code: 'unexpected_response',
      status: 0,
      message: 'The answer is not one of the service. (0 unexpected_response)',
    });
  });

  it('that is no response is an error of the fetch that the caller gave', async () => {
    const { transport } = opened(new ScriptedService(), { fetch: async () => ({}) as Response });
    expect(await failureOf(transport.send(GET))).toMatchObject({ name: 'TypeError' });
  });

  it('that has no end is not read to it', async () => {
    const piece = new Uint8Array(8 * 1024 * 1024);
    let pieces = 0;
    const endless = new ReadableStream({
      pull: (controller) => {
        pieces += 1;
        controller.enqueue(piece);
      },
    });
    const { transport } = opened(new ScriptedService(), {
      fetch: async () => new Response(endless, { headers: { 'content-type': 'application/json' } }),
    });
    expect(await failureOf(transport.send(GET))).toMatchObject({
      code: 'unexpected_response',
      message: expect.stringContaining('more than 33554432 bytes'),
    });
    expect(pieces).toBeLessThan(10);
  });

  it('that shows the request has no key in its error', async () => {
    const page = new Response(`<pre>authorization: Bearer ${KEY}</pre>`, { status: 400 });
    const json = answered({ error: { code: 'x', message: KEY, details: [{ field: KEY, message: KEY }] } }, 400);
    const elsewhere = new Response(null, { status: 302, headers: { location: `https://x.example/?key=${KEY}` } });
    for (const response of [page, json, elsewhere]) {
      const error = await failureOn(response);
      for (const shown of [String(error), inspect(error, { depth: 9 }), JSON.stringify(error)]) {
        expect(shown).not.toContain(KEY);
      }
    }
  });

  it('that breaks off within its JSON is a broken connection', async () => {
    const response = new Response('{"id":', { headers: { 'content-type': 'application/json; charset=utf-8' } });
    expect(await failureOn(response)).toBeInstanceOf(ConnectionError);
  });

  it('has the request id of its body, its details, and a wait that a proxy gives as a date', async () => {
    const details = [{ field: 'email', message: 'must be one address' }];
    const inMinutes = new Date(Date.now() + 180_000).toUTCString();
    const error = (await failureOn(
      refused(503, 'provider_unavailable', { 'retry-after': inMinutes }, { details }),
    )) as ApiError;
    expect(error.message).toBe(
      'The message of provider_unavailable. email must be one address (503 provider_unavailable, request req-1)',
    );
    expect(error).toMatchObject({ requestId: 'req-1', details });
    expect(error.retryAfter).toBeGreaterThan(170);
    const past = answered({ error: { code: 'x', message: 'm' } }, 503, { 'retry-after': new Date(0).toUTCString() });
    expect(await failureOn(past)).toMatchObject({ requestId: 'req-1', retryAfter: 0 });
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

  it('hold also where a fetch does not heed its signal', async () => {
    const { transport } = opened(new ScriptedService(), { fetch: () => new Promise(() => undefined), timeout: 5 });
    expect(await failureOf(transport.send(GET, { options: { maxRetries: 0 } }))).toBeInstanceOf(TimeoutError);
  });

  it('take a key as a file has it, and a URL object', async () => {
    const service = new ScriptedService(answered({}));
    const baseUrl = new URL('http://127.0.0.1:3000');
    await new Transport({ baseUrl, apiKey: `${KEY}\n`, fetch: service.fetch }).send(GET);
    expect(service.sent[0]?.headers.get('authorization')).toBe(`Bearer ${KEY}`);
  });
});
