import { Readable } from 'node:stream';
import { expect, test } from '@jest/globals';
import type { Scan } from '#client';
import { bodyOf } from '../support/api-client.js';
import { type Exchange, refusedFields } from '../support/exchange.js';
import { holdingsOf } from '../support/holdings.js';
import { addressOf, ask, type Operation, operationsOf } from '../support/operations.js';
import { startService } from '../support/start-service.js';

const service = await startService();
const agency = await service.agency();
const { api } = agency;
const holdings = await holdingsOf(service, agency);
const creator = await agency.linked();
const operations = await operationsOf(service.url);

const JSON_TYPE = { 'content-type': 'application/json' };
const path = `/v1/creators/${creator.id}`;
const nameOf = (length: number) => ({ display_name: 'x'.repeat(length) });
/** A body of exactly this many bytes whose only fault is a name that is too long. */
const bodyOfBytes = (bytes: number) => JSON.stringify(nameOf(bytes - JSON.stringify(nameOf(0)).length));
const chunked = (body: string) => Readable.from([Buffer.from(body.slice(0, 9)), Buffer.from(body.slice(9))]);

const messageOf = ({ body }: Exchange) => Object(body).error.message;

test.each([
  ['in one piece', (body: string) => body],
  ['in chunks', chunked],
])('a body %s may have 16,384 bytes and not one more (D6)', async (_, sent) => {
  const atLimit = await api.send('PATCH', path, { headers: JSON_TYPE, body: sent(bodyOfBytes(16_384)) });
  expect(refusedFields(atLimit)).toEqual(['display_name']);
  const beyond = await api.send('PATCH', path, { headers: JSON_TYPE, body: sent(bodyOfBytes(16_385)) });
  expect(beyond.outcome).toBe('413 payload_too_large');
});

test('the body limit wins over field limits that would allow more (D6)', async () => {
  const profile_urls = Array.from({ length: 20 }, (_, at) => `https://x.com/${at}${'n'.repeat(1_500)}`);
  expect((await api.patch(creator.id, { profile_urls })).outcome).toBe('413 payload_too_large');
});

test.each([
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/merge-patch+json',
  'application/jsonx',
  'multipart/form-data; boundary=x',
])('a body of type %s is 415', async (type) => {
  const refused = await api.send('PATCH', path, { headers: { 'content-type': type }, body: '{"display_name":"Ivy"}' });
  expect(refused.outcome).toBe('415 unsupported_media_type');
  expect(messageOf(refused)).toBe(`Expected application/json but got ${type.split(';')[0]}.`);
});

test('a body without a type is 415', async () => {
  const refused = await api.send('PATCH', path, { body: Buffer.from('{"display_name":"Ivy"}') });
  expect(refused.outcome).toBe('415 unsupported_media_type');
  expect(messageOf(refused)).toBe('Expected application/json but got no Content-Type.');
});

test.each([
  ['200', 'charset=us-ascii'],
  ['200', 'charset="US-ASCII"'],
  ['200', 'charset=utf-8'],
  ['200', 'charset="UTF-8"'],
  ['200', 'profile=x'],
  ['415 unsupported_media_type', 'charset=latin1'],
  ['415 unsupported_media_type', 'charset=utf-8; charset=utf-16'],
])('%s: a body of application/json with %s', async (outcome, parameters) => {
  const headers = { 'content-type': `application/json; ${parameters}` };
  const answer = await api.send('PATCH', path, { headers, body: '{"display_name":"Ivy"}' });
  expect(answer.outcome).toBe(outcome);
  // D116: it names what is wrong.
  const wrong = parameters.split('; ').at(-1);
  if (outcome !== '200') expect(messageOf(answer)).toBe(`Expected JSON in UTF-8 but got ${wrong}.`);
});

test.each([
  ['empty', ''],
  ['cut off', '{"display_name":'],
  ['an array', '[]'],
  ['null', 'null'],
  ['a string', '"x"'],
  ['a number', '1'],
  ['two objects', '{}{}'],
  ['no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
])('a body that is %s is 400 (D7)', async (_, body) => {
  expect((await api.send('PATCH', path, { headers: JSON_TYPE, body })).outcome).toBe('400 invalid_request');
});

const named = (some: readonly Operation[]) => some.map((operation) => [operation.name, operation] as const);
const writes = operations.filter(({ body }) => body !== undefined);
const others = operations.filter(({ body }) => body === undefined);

test.each(named(writes))('%s refuses unknown fields, null, and a body that is missing (D7, D8)', async (_, write) => {
  const sent = { ...write.body, unheard_of: 1 };
  expect(refusedFields(await ask(api, write, holdings, { bytes: JSON.stringify(sent) }))).toContain('unheard_of');
  for (const bytes of ['null', '[]', '""', '']) {
    expect((await ask(api, write, holdings, { bytes })).outcome).toBe('400 invalid_request');
  }
  const address = addressOf(write, holdings);
  const untyped = await api.send(write.method, address, { headers: { 'idempotency-key': 'k' } });
  expect(untyped.outcome).toMatch(/^(?:400|415) /);
});

test.each(named(others))('%s takes no body (D8)', async (_, operation) => {
  const address = addressOf(operation, holdings);
  const plain = await api.send(operation.method, address, { headers: JSON_TYPE, body: '{}' });
  expect(plain.outcome).toBe('400 invalid_request');
  const inChunks = await api.send(operation.method, address, { headers: JSON_TYPE, body: chunked('{"a":"bcdefgh"}') });
  expect(inChunks.outcome).toBe('400 invalid_request');
});

test.each(named(operations))('%s refuses an unknown query parameter, and names it (D7)', async (_, operation) => {
  for (const name of ['page', 'toString', '__proto__', 'Limit']) {
    const refused = await ask(api, operation, holdings, { query: `?${name}=2` });
    expect(refusedFields(refused)).toEqual([name]);
  }
});

test('all unknown query parameters are named, with a body that must not be sent (D7, D98)', async () => {
  const refused = await api.send('DELETE', `${path}?a=1&b=2&a=3`, { headers: JSON_TYPE, body: '{}' });
  expect(refusedFields(refused)).toEqual(['body', 'a', 'b']);
});

test.each(['live', 'ready'])('/health/%s takes no query parameters (D7)', async (name) => {
  expect((await fetch(`${service.url}/health/${name}?verbose=1`)).status).toBe(400);
});

test.each(
  named(operations.filter(({ isPaged, scopes }) => !isPaged && scopes.some((scope) => scope.endsWith(':write')))),
)('%s refuses an unknown query parameter only after the scope (D1)', async (_, operation) => {
  const reader = await agency.issueKey({ preset: 'read_only' });
  expect((await ask(reader.api, operation, holdings, { query: '?page=2' })).outcome).toBe('403 forbidden');
});

test.each(named(operations.filter(({ needsIdempotencyKey }) => needsIdempotencyKey)))(
  '%s needs one Idempotency-Key of 1 to 120 characters, and none that is blank or holds controls (D45)',
  async (_, operation) => {
    const address = addressOf(operation, holdings);
    const keys = [[], [''], ['  '], ['a\tb'], ['x'.repeat(121)], ['a', 'b'], ['a', 'a']];
    for (const key of keys) {
      const headers = { ...JSON_TYPE, ...(key.length > 0 && { 'idempotency-key': key }) };
      const refused = await api.send(operation.method, address, { headers, body: JSON.stringify(operation.body) });
      expect([key, refusedFields(refused)]).toEqual([key, ['Idempotency-Key']]);
    }
  },
);

test('the characters of an Idempotency-Key are counted, not its bytes (D7, D45)', async () => {
  const { id } = await agency.active();
  const queue = (key: string) => api.queueScan(id, key);
  expect(refusedFields(await queue('é'.repeat(121)))).toEqual(['Idempotency-Key']);
  const queued = bodyOf<Scan>(await queue('é'.repeat(119).concat('ß')));
  expect((await queue('é'.repeat(119).concat('ß'))).body).toMatchObject({ id: queued.id });
  for (const key of ['ключ', '😀', '日本', 'ß']) expect((await queue(key)).outcome).toBe('409 scan_in_progress');
});

test('an enrollment that is nested deeper than the stack is refused like any other (D98)', async () => {
  const levels = 6_000;
  const body = JSON.stringify({ workspace_id: holdings.workspaceId, external_id: 'x', aliases: 0 });
  const sent = body.replace('0}', `${'['.repeat(levels)}${']'.repeat(levels)}}`);
  const refused = await api.send('POST', '/v1/creators', { headers: JSON_TYPE, body: sent });
  const wrong = ['aliases', 'display_name', 'email', 'first_name', 'last_name'];
  expect(refusedFields(refused).toSorted()).toEqual(wrong);
});

const collections = operations.filter(({ isPaged }) => isPaged).map((operation) => addressOf(operation, holdings));

test.each(collections)('%s: limit is 1 to 100, and is never clamped (D7)', async (list) => {
  for (const limit of ['1', '100']) expect((await api.get(`${list}?limit=${limit}`)).outcome).toBe('200');
  const wrong = ['0', '101', '-1', '1.5', '', '1e1', '0x10', '%201', '+5', '05', 'all', '9999999999999999999'];
  for (const limit of wrong) expect(refusedFields(await api.get(`${list}?limit=${limit}`))).toEqual(['limit']);
});

test.each(collections)('%s: a repeated parameter is 400 (D7)', async (list) => {
  expect(refusedFields(await api.get(`${list}?limit=5&limit=5`))).toEqual(['limit']);
  expect((await api.get(`${list}?after=a&after=b`)).outcome).toBe('400 invalid_request');
});

test.each(collections)('%s: an invalid cursor is 400 (D13)', async (list) => {
  for (const after of [
    '',
    'x',
    creator.id,
    '%00',
    'evt_00000000000000000000000000',
    'cas_00000000000000000000000000',
  ]) {
    expect(refusedFields(await api.get(`${list}?after=${after}`))).toEqual(['after']);
  }
});
