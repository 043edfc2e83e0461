import { describe, expect, it } from '@jest/globals';
import { TimeoutError } from '../errors.js';
import type { Retry } from '../options.js';
import {
  answered,
  brokenOff,
  failureOf,
  GET,
  KEY,
  opened,
  POST,
  refused,
  ScriptedService,
} from '../scripted-service.fixtures.js';
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
