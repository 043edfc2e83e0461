import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, expect, test } from '@jest/globals';
import { DAY } from '#kernel';
import { Metrics } from '#observability';
import { eventually } from '#testing';
import { CONNECTION_LIMITS, type ConnectionLimits, MAX_PIPELINED } from '../../support/connection-limits.js';
import { checkHoldsEverywhere } from '../support/holds-everywhere.js';
import { RawConnection } from '../support/raw-http.js';
import { startService } from '../support/start-service.js';

// D69, with shorter times: a separate API on the stores that the tests share.
const LIMITS: ConnectionLimits = {
  requestTimeout: 600,
  idleTimeout: 1_500,
  checkInterval: 50,
  maxConnections: 20,
  maxUnreadBytes: 64_000_000,
};
const service = await startService({ env: { RATE_LIMIT_PER_MINUTE: '1000000' } });
const agency = await service.agency();
const hasty = await service.startApi(LIMITS);
afterAll(() => hasty.stop());
/** With the times of production, and little room for what nobody reads. */
const little = { ...CONNECTION_LIMITS, maxUnreadBytes: 4_000_000 };
const cramped = await service.startApi(little);
afterAll(() => cramped.stop());

const opened: RawConnection[] = [];
afterEach(() => {
  for (const { socket } of opened.splice(0)) socket.destroy();
});
const open = async (url = hasty.url, allowHalfOpen = false) => {
  const connection = await RawConnection.open(url, allowHalfOpen);
  opened.push(connection);
  return connection;
};
const lines = (...all: string[]) => `${all.join('\r\n')}\r\n`;
const LIVE = lines('GET /health/live HTTP/1.1', 'host: x', '');

const PAUSE = '{"status":"paused"}';
/** A pause whose body is announced and not sent. */
const pauseOf = (creatorId: string, secret: string) =>
  lines(
    `PUT /v1/creators/${creatorId}/protection HTTP/1.1`,
    'host: x',
    `authorization: Bearer ${secret}`,
    'content-type: application/json',
    `content-length: ${PAUSE.length}`,
    '',
  );

/** Waits until requests with this key have been counted: the headers have arrived. */
const isAdmitted = (keyId: string) =>
  eventually(async () => {
    const uses = await service.services.keyUses.lastOf([keyId]);
    if (!uses.has(keyId)) throw new Error('not yet');
  });

test.each([
  ['is revoked', '90d', (keyId: string) => agency.revokeKey(keyId as typeof agency.keyId)],
  ['expires', '30d', async () => service.clock.advance(30 * DAY)],
] as const)('a key that %s before the last byte arrives writes nothing (D69)', async (_, lifetime, end) => {
  const creator = await agency.active();
  const { api, keyId } = await agency.issueKey({ lifetime });
  await service.quiet();
  const before = service.recorded;
  const connection = await open(service.url);
  connection.send(pauseOf(creator.id, api.secret) + PAUSE.slice(0, -1));
  await isAdmitted(keyId);
  await end(keyId);
  const afterEnd = service.recorded;
  connection.send(PAUSE.slice(-1));
  await connection.receives('"request_id"');
  connection.socket.end();
  const refused = await connection.answer();
  checkHoldsEverywhere(refused);
  expect(refused.outcome).toBe('401 unauthorized');
  expect(refused.headers['ratelimit-limit']).toBeUndefined();
  expect(service.recorded).toBe(afterEnd);
  expect(afterEnd - before).toBeLessThanOrEqual(1);
  expect((await agency.api.creator(creator.id)).protection_status).toBe('active');
});

test('a request whose body comes late succeeds if its key stays valid (D69)', async () => {
  const creator = await agency.active();
  const { api, keyId } = await agency.issueKey();
  const connection = await open(service.url);
  connection.send(pauseOf(creator.id, api.secret));
  await isAdmitted(keyId);
  connection.send(PAUSE);
  await connection.receives('"protection_status":"paused"');
});

test('a client that sends a part of a request and no more is answered 408, and the connection ends (D69)', async () => {
  const parts = {
    'one byte': 'G',
    'a request line': lines('GET /v1/me HTTP/1.1'),
    'headers that do not end': lines('GET /v1/me HTTP/1.1', 'host: x', `authorization: Bearer ${agency.api.secret}`),
    'half of a body': pauseOf('crt_00000000000000000000000000', agency.api.secret) + PAUSE.slice(0, 9),
    'line breaks': '\r\n\r\n',
  };
  const answered = async ([name, bytes]: [string, string]) => {
    const connection = await open();
    const began = performance.now();
    connection.send(bytes);
    const refused = await connection.answer();
    checkHoldsEverywhere(refused);
    const isInTime = performance.now() - began >= LIMITS.requestTimeout - 50;
    return { name, outcome: refused.outcome, connection: refused.headers.connection, isInTime };
  };
  const expected = { outcome: '408 request_timeout', connection: 'close', isInTime: true };
  expect(await Promise.all(Object.entries(parts).map(answered))).toEqual(
    Object.keys(parts).map((name) => ({ name, ...expected })),
  );
});

test('a metric counts the requests that broke off before they were handled', async () => {
  const connection = await open();
  connection.send('NONSENSE\r\n\r\n');
  await connection.closed;
  const metrics = await hasty.app.get(Metrics).registry.metrics();
  expect(metrics).toMatch(/^http_request_duration_seconds_count\{route="none",method="none",status="400"\} [1-9]/m);
});

test('a client that sends single bytes slowly gets no extra time (D69)', async () => {
  const connection = await open();
  const timer = setInterval(() => connection.send('x'), 20);
  connection.send('GET /v1/me HTTP/1.1\r\nx: ');
  const refused = await connection.answer();
  clearInterval(timer);
  expect(refused.outcome).toBe('408 request_timeout');
});

test.each<[string, string, string, (secret: string, id: string) => string]>([
  ['the 408', '408 request_timeout', PAUSE.slice(-1), (secret, id) => pauseOf(id, secret) + PAUSE.slice(0, -1)],
  ['an answer to a body before it was read', '401 unauthorized', PAUSE, (_, id) => pauseOf(id, 'svc_live_nobody')],
])('what arrives after %s is not carried out (D69)', async (_, outcome, rest, begin) => {
  const creator = await agency.active();
  await service.quiet();
  const before = service.recorded;
  const connection = await open(hasty.url, true);
  connection.send(begin(agency.api.secret, creator.id));
  await connection.receives('"request_id"');
  connection.send(rest + pauseOf(creator.id, agency.api.secret) + PAUSE);
  connection.socket.end();
  expect((await connection.answer()).outcome).toBe(outcome);
  // It comes after a pause of this creator that is under way, and changes nothing where there is none.
  expect((await agency.api.protect(creator.id, 'active')).outcome).toBe('200');
  expect(service.recorded).toBe(before);
});

test('a client that keeps its side of the connection open after a 408 is cut off a moment later (D69)', async () => {
  // As an idle one, it would last 75 seconds.
  const impatient = { ...CONNECTION_LIMITS, requestTimeout: 300, checkInterval: 50 };
  const api = await service.startApi(impatient);
  const connection = await open(api.url, true);
  const began = performance.now();
  connection.send(pauseOf('crt_0', agency.api.secret).replace(/length: \d+/, 'length: 9000'));
  await connection.receives('request_timeout');
  await cut(connection, 'x');
  expect(performance.now() - began).toBeLessThan(impatient.idleTimeout);
  await api.stop();
});

test('a connection without any request ends without an answer (D69)', async () => {
  // The server may see the connection before the client does.
  const began = performance.now();
  const connection = await open();
  await connection.closed;
  expect(connection.text).toBe('');
  expect(performance.now() - began).toBeGreaterThanOrEqual(LIMITS.idleTimeout - 50);
});

test('the time of a request starts with its first byte (D69)', async () => {
  const impatient = { ...LIMITS, idleTimeout: CONNECTION_LIMITS.idleTimeout };
  const api = await service.startApi(impatient);
  const connection = await open(api.url);
  await delay(impatient.requestTimeout / 2);
  const began = performance.now();
  connection.send(LIVE.slice(0, 9));
  expect((await connection.answer()).outcome).toBe('408 request_timeout');
  expect(performance.now() - began).toBeGreaterThanOrEqual(impatient.requestTimeout - 50);
  await api.stop();
});

test('a connection whose request has begun is not idle (D69)', async () => {
  const patient = { ...LIMITS, requestTimeout: CONNECTION_LIMITS.requestTimeout };
  const api = await service.startApi(patient);
  const connection = await open(api.url);
  connection.send(LIVE.slice(0, 9));
  await delay(patient.idleTimeout + 2 * patient.checkInterval);
  connection.send(LIVE.slice(9));
  await connection.receives('{"status":"ok"}');
  connection.socket.destroy();
  await api.stop();
});

test('a connection ends when it is idle after an answer, even if the client sends line breaks (D69)', async () => {
  const [idle, dribbling] = [await open(), await open()];
  for (const connection of [idle, dribbling]) connection.send(LIVE);
  const timer = setInterval(() => dribbling.send('\r\n'), 100);
  await Promise.all([idle.closed, dribbling.closed]);
  clearInterval(timer);
  expect((await idle.answer()).outcome).toBe('200');
});

const DOCUMENT = lines('GET /openapi.json HTTP/1.1', 'host: x', '');
/** A large answer; eight of them are more than the buffers of a connection take. */
const SCRIPT = lines('GET /docs/redoc.js HTTP/1.1', 'host: x', '');
const MAX_BUFFERED = 8_000_000;

test('the answers that the next tests do not read are more than the buffers of a connection take', async () => {
  const script = await fetch(`${hasty.url}/docs/redoc.js`, { headers: { 'accept-encoding': 'identity' } });
  expect(script.status).toBe(200);
  expect((await script.arrayBuffer()).byteLength * MAX_PIPELINED).toBeGreaterThan(MAX_BUFFERED);
});

/** When the server has closed it: a socket that is not read finds out by writing. */
const cut = async (connection: RawConnection, bytes = '\r\n') => {
  const timer = setInterval(() => connection.send(bytes), 50);
  await connection.closed;
  clearInterval(timer);
};

test('the connection of a client that does not read its answers is closed (D69)', async () => {
  const connection = await open();
  connection.socket.pause();
  const began = performance.now();
  connection.send(SCRIPT.repeat(MAX_PIPELINED));
  await cut(connection);
  expect(performance.now() - began).toBeGreaterThanOrEqual(LIMITS.requestTimeout - 50);
});

/** A client that reads the beginning of what it asks for. */
const unreader = async (url: string, requests: string): Promise<RawConnection> => {
  const connection = await open(url);
  const begun = new Promise((resolve) => connection.socket.once('data', resolve));
  connection.socket.once('data', () => connection.socket.pause());
  connection.send(requests);
  await begun;
  return connection;
};

test('connections whose answers nobody reads are closed before those of others (D69)', async () => {
  const patient = { ...CONNECTION_LIMITS, checkInterval: 50, maxConnections: 4 };
  const api = await service.startApi(patient);
  const unread = [0, 1, 2, 3].map(() => unreader(api.url, SCRIPT.repeat(MAX_PIPELINED)));
  const cuts = (await Promise.all(unread)).map((one) => cut(one));
  await eventually(async () => {
    const other = await open(api.url);
    other.send(LIVE);
    await Promise.race([other.closed, other.receives('{"status":"ok"}')]);
    expect(other.text).toContain('{"status":"ok"}');
  });
  await Promise.race(cuts);
  for (const { socket } of opened) socket.destroy();
  await api.stop();
});

test('small unread answers count together with their requests (D69)', async () => {
  const narrow = { ...CONNECTION_LIMITS, maxUnreadBytes: 50_000 };
  const api = await service.startApi(narrow);
  await service.platform.fault({ operation: 'getCapacity', kind: 'delay', delay_ms: 5_000 });
  const connection = await open(api.url);
  const capacity = lines('GET /v1/capacity HTTP/1.1', 'host: x', `authorization: Bearer ${agency.api.secret}`, '');
  const refused = lines('GET /v1/me HTTP/1.1', 'host: x', `x: ${'x'.repeat(15_000)}`, '');
  connection.send(capacity + refused.repeat(MAX_PIPELINED - 1));
  await Promise.race([connection.closed, connection.receives('HTTP/1.1')]);
  expect(connection.text).toBe('');
  await api.stop();
});

test('answers that nobody reads are held up to a number of bytes, and one that is read arrives whole (D69)', async () => {
  const unread = await Promise.all(Array.from({ length: 16 }, () => open(cramped.url)));
  for (const connection of unread) {
    connection.socket.pause();
    connection.send(DOCUMENT.repeat(MAX_PIPELINED));
  }
  await Promise.race(unread.map((one) => cut(one)));
  const answer = await fetch(`${cramped.url}/openapi.json`);
  expect(await answer.json()).toHaveProperty('openapi');
});

test('the connection of a client with too many concurrent requests is closed', async () => {
  const connection = await open();
  connection.send(LIVE.repeat(MAX_PIPELINED + 1));
  await connection.closed;
  const other = await open();
  other.send(LIVE.repeat(MAX_PIPELINED));
  await eventually(() => expect(other.text.match(/"ok"/g)).toHaveLength(MAX_PIPELINED));
});

test.each<[string, string, () => string]>([
  ['without a key', '401 unauthorized', () => pauseOf('crt_00000000000000000000000000', 'svc_live_nobody')],
  [
    'to an unknown route',
    '404 not_found',
    () => lines('POST /v1/nothing HTTP/1.1', 'host: x', 'content-length: 9', ''),
  ],
  [
    'that is too large',
    '413 payload_too_large',
    () => pauseOf('crt_00000000000000000000000000', agency.api.secret).replace(/length: \d+/, 'length: 9000000'),
  ],
])('an answer to a body %s, before it was read, closes the connection (D69)', async (_, outcome, head) => {
  const connection = await open();
  connection.send(head());
  const refused = await connection.answer();
  checkHoldsEverywhere(refused);
  expect([refused.outcome, refused.headers.connection]).toEqual([outcome, 'close']);
});

test('a body of megabytes is refused, and the whole answer arrives (D69)', async () => {
  const connection = await open();
  connection.send(
    pauseOf('crt_0', agency.api.secret).replace(/length: \d+/, 'length: 9000000') + 'x'.repeat(4_000_000),
  );
  expect((await connection.answer()).outcome).toBe('413 payload_too_large');
});

test('the answer to broken bytes after a request comes after the answer to that request (D4)', async () => {
  await service.platform.fault({ operation: 'getCapacity', kind: 'delay', delay_ms: 300 });
  const connection = await open(service.url);
  const capacity = lines('GET /v1/capacity HTTP/1.1', 'host: x', `authorization: Bearer ${agency.api.secret}`, '');
  connection.send(`${capacity}NONSENSE\r\n\r\n`);
  await connection.closed;
  const statuses = [...connection.text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
  expect(statuses).toEqual(['200', '400']);
});

test.each([
  ['CONNECT', '404', lines('CONNECT x:443 HTTP/1.1', 'host: x', '')],
  ['an upgrade', '200', lines('GET /health/live HTTP/1.1', 'host: x', 'connection: upgrade', 'upgrade: websocket', '')],
])('a client that sends %s and resets its connection ends nothing else', async (_, status, request) => {
  const connection = await open();
  connection.socket.once('data', () => connection.socket.resetAndDestroy());
  connection.send(request);
  await connection.closed;
  expect(connection.text).toContain(`HTTP/1.1 ${status} `);
  const other = await open();
  other.send(LIVE);
  await other.receives('{"status":"ok"}');
});

test('with too many connections the ones without a request for longest are closed, and all others are served (D69)', async () => {
  // None of them ends because it is idle.
  const patient = { ...CONNECTION_LIMITS, maxConnections: 20 };
  const api = await service.startApi(patient);
  const first = await open(api.url);
  const silent = await Promise.all(Array.from({ length: patient.maxConnections }, () => open(api.url)));
  await first.closed;
  const next = await open(api.url);
  next.send(LIVE);
  await next.receives('{"status":"ok"}');
  expect(silent.filter(({ isClosed }) => !isClosed).length).toBeGreaterThan(0);
  for (const { socket } of opened) socket.destroy();
  await api.stop();
});

test('in production these times are 30 and 75 seconds (D69)', () => {
  expect(CONNECTION_LIMITS).toMatchObject({ requestTimeout: 30_000, idleTimeout: 75_000 });
  expect(CONNECTION_LIMITS.checkInterval).toBeLessThanOrEqual(2_000);
});
