import { describe, expect, test } from '@jest/globals';
import { refusedFields } from '../support/exchange.js';
import { checkHoldsEverywhere } from '../support/holds-everywhere.js';
import { RawConnection, sendRaw } from '../support/raw-http.js';
import { startService } from '../support/start-service.js';

const service = await startService({ env: { RATE_LIMIT_PER_MINUTE: '1000000' } });
const agency = await service.agency();
const { api } = agency;
const creator = await agency.linked();
const path = `/v1/creators/${creator.id}`;

const authorized = `authorization: Bearer ${api.secret}`;
const request = (...lines: string[]) => `${lines.join('\r\n')}\r\n\r\n`;
const CHUNKED = 'transfer-encoding: chunked';
const TYPED = 'content-type: application/json';
const EMPTY_CHUNKS = '0\r\n\r\n';

const ask = async (requestLine: string, headers: readonly string[], body = '') => {
  const head = request(`${requestLine} HTTP/1.1`, 'host: x', authorized, 'connection: close', ...headers);
  const answer = await sendRaw(service.url, head + body);
  if (!requestLine.startsWith('HEAD')) checkHoldsEverywhere(answer);
  return answer;
};

describe('a body of zero bytes is no body, however it is framed (D8)', () => {
  test.each([
    ['empty chunks', [CHUNKED], EMPTY_CHUNKS],
    ['empty chunks and a type', [CHUNKED, 'content-type: text/plain'], EMPTY_CHUNKS],
    ['empty chunks and a trailer', [CHUNKED], '0\r\nx-sum: 1\r\n\r\n'],
    ['a length of zero and a type', ['content-length: 0', 'content-type: text/plain'], ''],
    ['a type alone', ['content-type: application/x-www-form-urlencoded'], ''],
    ['an encoding alone', ['content-encoding: gzip', TYPED], ''],
  ])('GET with %s is answered', async (_, headers, body) => {
    expect((await ask(`GET ${path}`, headers, body)).outcome).toBe('200');
  });

  test.each([
    ['empty chunks', [CHUNKED], EMPTY_CHUNKS],
    ['empty chunks and a type', [CHUNKED, TYPED], EMPTY_CHUNKS],
    ['a type alone', ['content-type: text/plain'], ''],
  ])('DELETE with %s is carried out', async (_, headers, body) => {
    const invited = await agency.invited();
    expect((await ask(`DELETE /v1/creators/${invited.id}`, headers, body)).outcome).toBe('200');
  });

  test.each([
    ['empty chunks', [CHUNKED, TYPED], EMPTY_CHUNKS],
    ['empty chunks without a type', [CHUNKED], EMPTY_CHUNKS],
    ['a length of zero and another type', ['content-length: 0', 'content-type: text/plain'], ''],
  ])('PATCH with %s is 400, as the body is missing', async (_, headers, body) => {
    expect(refusedFields(await ask(`PATCH ${path}`, headers, body))).toEqual(['body']);
  });

  test('one byte in chunks is a body, which GET and DELETE refuse', async () => {
    for (const method of ['GET', 'DELETE']) {
      expect(refusedFields(await ask(`${method} ${path}`, [CHUNKED, TYPED], '1\r\n{\r\n0\r\n\r\n'))).toEqual(['body']);
    }
  });

  test('chunks that come one by one are one body', async () => {
    const connection = await RawConnection.open(service.url);
    connection.send(request(`PATCH ${path} HTTP/1.1`, 'host: x', authorized, CHUNKED, TYPED, 'connection: close'));
    for (const part of '{"display_name":"Ivy"}') connection.send(`1\r\n${part}\r\n`);
    connection.send(EMPTY_CHUNKS);
    expect((await connection.answer()).outcome).toBe('200');
  });
});

describe('HEAD is answered like GET, without a body (D99)', () => {
  test.each([
    ['/v1/me', 200],
    [path, 200],
    [`${path}/cases?limit=5`, 200],
    [`${path}/report`, 200],
    ['/health/ready', 200],
    ['/openapi.json', 200],
    ['/docs', 200],
    [`${path}?limit=5`, 400],
    ['/v1/creators/crt_0', 404],
    ['/v1/nothing', 404],
    [`${path}/scans`, 405],
  ])('HEAD %s is %i', async (target, status) => {
    const head = await ask(`HEAD ${target}`, []);
    const get = await sendRaw(
      service.url,
      request(`GET ${target} HTTP/1.1`, 'host: x', authorized, 'connection: close'),
    );
    expect([head.status, get.status]).toEqual([status, status]);
    expect(head.text).toBe('');
    const { 'x-request-id': _id, date: _date, 'ratelimit-remaining': _left, ...others } = head.headers;
    // Its nonce is another one in each answer.
    const { 'content-security-policy': _policy, ...headers } = others;
    expect(get.headers).toMatchObject(headers);
    expect(head.headers['content-length']).toMatch(/^\d+$/);
  });

  test('without a key it is 401, and where there is no GET the methods are listed', async () => {
    const unknown = await sendRaw(service.url, request('HEAD /v1/me HTTP/1.1', 'host: x', 'connection: close'));
    expect([unknown.status, unknown.text]).toEqual([401, '']);
    const refused = await ask('DELETE /v1/me', []);
    expect([refused.status, refused.headers.allow]).toEqual([405, 'GET, HEAD']);
  });
});

describe('what is too long has its own status (D99)', () => {
  /** A request line with a target of this many bytes. */
  const targetOf = (bytes: number) => `GET ${`/v1/me?${'x'.repeat(bytes)}`.slice(0, bytes)}`;
  const fixed = ['host', 'x', 'authorization', `Bearer ${api.secret}`, 'connection', 'close', 'x-y'];
  const fixedBytes = fixed.join('').length + 4 * 4;

  test('a request target may have 16,384 bytes', async () => {
    expect(refusedFields(await ask(targetOf(16_384), []))).toEqual(['x'.repeat(16_384 - '/v1/me?'.length)]);
    expect((await ask(targetOf(16_385), [])).outcome).toBe('414 uri_too_long');
  });

  test('header fields may have 16,384 bytes', async () => {
    const headerOf = (bytes: number) => [`x-y: ${'y'.repeat(bytes - fixedBytes)}`];
    expect((await ask('GET /v1/me', headerOf(16_384))).outcome).toBe('200');
    expect((await ask('GET /v1/me', headerOf(16_385))).outcome).toBe('431 request_header_fields_too_large');
    const many = Array.from({ length: 900 }, (_, at) => `x-${at}: ${'y'.repeat(10)}`);
    expect((await ask('GET /v1/me', many)).outcome).toBe('431 request_header_fields_too_large');
  });

  test('so has what is longer than the parser reads, and it is the last request of its connection', async () => {
    const long = await ask(targetOf(60_000), []);
    expect([long.outcome, long.headers.connection]).toEqual(['414 uri_too_long', 'close']);
    expect((await ask('GET /v1/me', [`x-y: ${'y'.repeat(60_000)}`])).outcome).toBe(
      '431 request_header_fields_too_large',
    );
    expect((await ask('GET /v1/me', [`x-y: ${'y'.repeat(200_000)}`])).status).toBe(431);
  });

  test('such a request with a valid key counts (D10)', async () => {
    const counted = await ask(targetOf(16_385), []);
    expect(counted.headers['ratelimit-remaining']).toMatch(/^\d+$/);
  });
});

describe('a client that waits for 100 Continue is answered first where its headers decide (D99)', () => {
  const EXPECTING = 'expect: 100-continue';

  test.each([
    ['401 unauthorized', 'PATCH', ['authorization: Bearer svc_live_nobody', TYPED, 'content-length: 22']],
    ['413 payload_too_large', 'PATCH', [authorized, TYPED, 'content-length: 16385']],
    ['415 unsupported_media_type', 'PATCH', [authorized, 'content-type: text/plain', 'content-length: 22']],
    ['415 unsupported_media_type', 'PATCH', [authorized, 'content-length: 22']],
    ['415 unsupported_media_type', 'PATCH', [authorized, TYPED, 'content-encoding: gzip', 'content-length: 22']],
    ['405 method_not_allowed', 'POST', [authorized, TYPED, 'content-length: 22']],
    ['400 invalid_request', 'GET', [authorized, 'content-length: 22']],
    ['400 invalid_request', 'DELETE', [authorized, TYPED, 'content-length: 22']],
  ])('%s to %s, and no 100', async (outcome, method, headers) => {
    const head = request(`${method} ${path} HTTP/1.1`, 'host: x', 'connection: close', EXPECTING, ...headers);
    const refused = await sendRaw(service.url, head);
    checkHoldsEverywhere(refused);
    expect(refused.outcome).toBe(outcome);
  });

  test.each([
    ['403 forbidden', 'the scope is missing', `PATCH ${path}`, 'read_only'],
    ['400 invalid_request', 'the Idempotency-Key is missing', `POST ${path}/scans`, 'read_write'],
  ] as const)('%s where %s, and no 100', async (outcome, _, line, preset) => {
    const { secret } = (await agency.issueKey({ preset })).api;
    const lines = ['host: x', 'connection: close', EXPECTING, TYPED, 'content-length: 22'];
    const refused = await sendRaw(
      service.url,
      request(`${line} HTTP/1.1`, ...lines, `authorization: Bearer ${secret}`),
    );
    checkHoldsEverywhere(refused);
    expect(refused.outcome).toBe(outcome);
  });

  test.each([
    ['a length', ['content-length: 22'], '{"display_name":"Ivy"}'],
    ['chunks', [CHUNKED], '16\r\n{"display_name":"Ivy"}\r\n0\r\n\r\n'],
  ])('a usable body with %s is asked for', async (_, framing, body) => {
    const connection = await RawConnection.open(service.url);
    const lines = ['host: x', authorized, 'connection: close', TYPED, EXPECTING, ...framing];
    connection.send(request(`PATCH ${path} HTTP/1.1`, ...lines));
    await connection.receives('HTTP/1.1 100 Continue');
    connection.send(body);
    await connection.receives('HTTP/1.1 200 OK');
  });
});

test('the announced keep-alive time is at least a second shorter than the real one (D69, D99)', async () => {
  const connection = await RawConnection.open(service.url);
  connection.send(request('GET /health/live HTTP/1.1', 'host: x'));
  await connection.receives('"ok"');
  expect(connection.text).toMatch(/^keep-alive: timeout=74\r$/im);
  connection.socket.destroy();
});

test('names of fields that begin like a stand-in of ours are named in a 400 like any other (D7, D86)', async () => {
  const name = '\u001a[encrypted]';
  expect(refusedFields(await api.get(`/v1/events?${encodeURIComponent(name)}=1`))).toEqual([name]);
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ display_name: 'Ivy', [name]: 1 });
  expect(refusedFields(await api.send('PATCH', path, { headers, body }))).toEqual([name]);
});

test.each([
  ['external_id', '{"external_id":"a","external_id":"b"}'],
  ['status', '{"status":"paused","st\\u0061tus":"active"}'],
  ['a', '{"display_name":"Ivy","x":[{"a":1,"b":{"a":1},"a":2}]}'],
])('a body that names %s twice is 400, after the scope (D1, D7)', async (name, body) => {
  const headers = { 'content-type': 'application/json' };
  for (const method of ['PATCH', 'PUT'] as const) {
    const target = method === 'PUT' ? `${path}/protection` : path;
    expect(refusedFields(await api.send(method, target, { headers, body }))).toEqual([name]);
  }
  const reader = await agency.issueKey({ preset: 'read_only' });
  expect((await reader.api.send('PATCH', path, { headers, body })).outcome).toBe('403 forbidden');
});
