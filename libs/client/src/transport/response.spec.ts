import { Readable } from 'node:stream';
import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { type ApiError, ConnectionError, CreatorProtectionError } from '../errors.js';
import {
  answered,
  failureOf,
  GET,
  KEY,
  opened,
  own,
  POST,
  refused,
  ScriptedService,
} from '../scripted-service.fixtures.js';

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

  it.each([{}, { error: 'no' }, null, 'no'])('of status 400 that is %j is unexpected', async (body) => {
    expect(await failureOn(answered(body, 400))).toMatchObject({ code: 'unexpected_response', status: 400 });
  });

  it.each<[string, Response, string]>([
    ['a web page', own('<html>', 'text/html'), 'Expected application/json but got text/html'],
    ['JSON of another kind', own('{"id":1}', 'application/json-seq'), 'Expected application/json but got'],
    ['a list of media types', own('{"id":1}', 'application/json, text/html'), 'Expected application/json but got'],
    [
      'no media type',
      new Response(null, { status: 204, headers: { 'x-svc-mode': 'live' } }),
      'but got no content type',
    ],
    ['an empty object', answered({}), 'Expected an object'],
    ['null', answered(null), 'Expected an object'],
    ['a list', answered([{ id: 'scn_1' }]), 'Expected an object'],
  ])('of the service that succeeds with %s says so, and is not repeated (D117)', async (_what, response, message) => {
    const { transport, clock } = opened(new ScriptedService(response));
    const error = await failureOf(transport.send(GET));
    expect(error).toMatchObject({ code: 'unexpected_response', message: expect.stringContaining(message) });
    expect([error instanceof CreatorProtectionError, clock.waits]).toEqual([true, []]);
  });

  it.each(['application/json;charset=UTF-8', 'APPLICATION/json ; charset=utf-8'])(
    'of type %s is JSON (D117)',
    async (type) => {
      expect(await opened(new ScriptedService(own('{"id":1}', type))).transport.send(GET)).toMatchObject({
        data: { id: 1 },
      });
    },
  );

  it.each<[string, Response]>([
    ['a success', Response.json({ id: 1 })],
    ['a 404', new Response('default backend - 404', { status: 404 })],
    ['a refusal in the form of the service', Response.json({ error: { code: 'not_found' } }, { status: 404 })],
    ['a redirect', new Response(null, { status: 302, headers: { location: 'https://x.example' } })],
  ])('that is %s without X-SVC-Mode is repeated until the service answers (D117)', async (_what, response) => {
    const service = new ScriptedService(response, response, answered({ id: 1 }));
    expect(await opened(service).transport.send(POST)).toMatchObject({ data: { id: 1 } });
    expect(service.sent.map(({ headers }) => headers.get('idempotency-key'))).toEqual(['key-1', 'key-1', 'key-1']);
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
      message:
        "The answer does not have the form of the service's answers, or lacks X-SVC-Mode. (0 unexpected_response)",
    });
  });

  it('that is no response is a broken connection', async () => {
    const { transport } = opened(new ScriptedService(), { fetch: async () => ({}) as Response });
    expect(await failureOf(transport.send(GET))).toMatchObject({
      name: 'ConnectionError',
      cause: { name: 'TypeError' },
    });
  });

  it('may be that of node-fetch, whose body is a stream of Node (D117)', async () => {
    const { transport } = opened(new ScriptedService(), {
      fetch: async () => ({
        ok: true,
        status: 200,
        statusText: 'OK',
        headers: new Headers({ 'x-svc-mode': 'live', 'content-type': 'application/json' }),
        body: Readable.from([Buffer.from('{"name":"\u00e9'), Buffer.from('"}')]),
      }),
    });
    const { data, response } = await transport.send(GET);
    expect([data, await response.json(), response.headers.get('x-svc-mode')]).toEqual([
      { name: 'é' },
      { name: 'é' },
      'live',
    ]);
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
      fetch: async () => new Response(endless, { headers: { 'x-svc-mode': 'live' } }),
    });
    expect(await failureOf(transport.send(GET))).toMatchObject({
      code: 'unexpected_response',
      message: expect.stringContaining('exceeds 33554432 bytes'),
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
    expect(await failureOn(own('{"id":', 'application/json; charset=utf-8'))).toBeInstanceOf(ConnectionError);
  });

  it('has the request id of its body, and its details', async () => {
    const details = [{ field: 'email', message: 'must be one address' }];
    const error = (await failureOn(refused(503, 'provider_unavailable', {}, { details }))) as ApiError;
    expect(error.message).toBe(
      'The message of provider_unavailable. email must be one address (503 provider_unavailable, request req-1)',
    );
    expect(error).toMatchObject({ requestId: 'req-1', details });
    expect(await failureOn(answered({ error: { code: 'x', message: 'm' } }, 503))).toMatchObject({
      requestId: 'req-1',
    });
  });

  const DATE = 'Sun, 06 Nov 1994 08:49:37 GMT';
  it.each<[string, string | undefined, number | null]>([
    ['7', undefined, 7],
    ['0', DATE, 0],
    ['1.5', DATE, null],
    ['-1', DATE, null],
    ['1994-11-06T08:50:37Z', DATE, null],
    ['7, 8', DATE, null],
    ['Sun, 06 Nov 1994 08:50:37 GMT', DATE, 60],
    ['Sunday, 06-Nov-94 08:50:37 GMT', DATE, 60],
    ['Sun Nov  6 08:50:37 1994', DATE, 60],
    ['Sun, 06 Nov 1994 08:40:00 GMT', DATE, 0],
    ['Sun, 66 Nov 1994 08:50:37 GMT', DATE, null],
    ['Sun, 06 Nov 1994 08:50:37 GMT', undefined, null],
    ['Sun, 06 Nov 1994 08:50:37 GMT', 'today', null],
  ])('has the wait of Retry-After: %s at the Date %s, by any clock of the client (D117)', async (after, date, wait) => {
    const headers = { 'retry-after': after, ...(date !== undefined && { date }) };
    expect(await failureOn(refused(503, 'provider_unavailable', headers))).toMatchObject({ retryAfter: wait });
  });

  it('of 500 that has no request id says nothing of one', async () => {
    const error = await failureOn(new Response('<h1>Oops</h1>', { status: 500 }));
    expect(error).toMatchObject({ requestId: null, message: expect.not.stringContaining('Report') });
  });

  it('that is an internal error says to report its request (D117)', async () => {
    expect(await failureOn(refused(500, 'internal_error'))).toMatchObject({
      message:
        'The message of internal_error. (500 internal_error, request req-1) Report the request id to the operators of the service.',
    });
  });
});
