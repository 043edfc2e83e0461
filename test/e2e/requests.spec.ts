import { Readable } from 'node:stream';
import { expect, test } from '@jest/globals';
import { refusedFields } from './support/exchange.js';
import { startService } from './support/start-service.js';

const service = await startService();
const agency = await service.agency();
const { api } = agency;
const creator = await agency.linked();

const JSON_TYPE = { 'content-type': 'application/json' };
const path = `/v1/creators/${creator.id}`;
const nameOf = (length: number) => ({ display_name: 'x'.repeat(length) });
/** A body of exactly so many bytes whose one fault is a name that is too long. */
const bodyOfBytes = (bytes: number) => JSON.stringify(nameOf(bytes - JSON.stringify(nameOf(0)).length));
const chunked = (body: string) => Readable.from([Buffer.from(body.slice(0, 9)), Buffer.from(body.slice(9))]);

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
});

test('a body without a type is 415', async () => {
  const refused = await api.send('PATCH', path, { body: Buffer.from('{"display_name":"Ivy"}') });
  expect(refused.outcome).toBe('415 unsupported_media_type');
});

test('a charset beside application/json is accepted', async () => {
  const headers = { 'content-type': 'application/json; charset=utf-8' };
  expect((await api.send('PATCH', path, { headers, body: '{"display_name":"Ivy"}' })).outcome).toBe('200');
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

test.each(['surname', '__proto__', 'constructor', 'toString', 'Display_name', 'email_sent'])(
  'the unknown field %s is 400, and is named (D7)',
  async (field) => {
    const body = `{"display_name":"Ivy","${field}":{"display_name":"x"}}`;
    expect(refusedFields(await api.send('PATCH', path, { headers: JSON_TYPE, body }))).toEqual([field]);
  },
);

test('every write refuses unknown fields, null, and a body that is missing (D7, D8)', async () => {
  const key = { 'idempotency-key': 'k' };
  const writes = [
    ['POST', '/v1/creators'],
    ['PATCH', path],
    ['PUT', `${path}/protection`],
    ['POST', `${path}/scans`],
  ] as const;
  for (const [method, route] of writes) {
    const unknown = await api.write(method, route, { unheard_of: 1 }, key);
    expect(refusedFields(unknown)).toContain('unheard_of');
    expect((await api.write(method, route, null, key)).outcome).toBe('400 invalid_request');
    expect((await api.send(method, route, { headers: { ...JSON_TYPE, ...key } })).outcome).toBe('400 invalid_request');
    expect((await api.send(method, route, { headers: key })).outcome).toMatch(/^(?:400|415) /);
  }
});

test.each(['/v1/me', `/v1/creators`, path, `${path}/cases`, '/v1/events'])('GET %s takes no body (D8)', async (get) => {
  const plain = await api.send('GET', get, { headers: JSON_TYPE, body: '{}' });
  expect(plain.outcome).toBe('400 invalid_request');
  const inChunks = await api.send('GET', get, { headers: JSON_TYPE, body: chunked('{"a":"bcdefgh"}') });
  expect(inChunks.outcome).toBe('400 invalid_request');
});

const unknownParameter = [
  ['GET', '/v1/me'],
  ['GET', `/v1/workspaces/${agency.workspaceId}`],
  ['GET', '/v1/creators'],
  ['GET', path],
  ['GET', `${path}/cases`],
  ['GET', '/v1/events'],
  ['GET', '/v1/scans/scn_00000000000000000000000000'],
] as const;

test.each(unknownParameter)('%s %s refuses an unknown query parameter (D7)', async (_, get) => {
  expect(refusedFields(await api.get(`${get}?page=2`))).toEqual(['page']);
  expect(refusedFields(await api.get(`${get}?toString=2`))).toEqual(['toString']);
});

test('writes refuse query parameters (D7)', async () => {
  const refused = [
    await api.write('POST', '/v1/creators?dry=1', agency.inviteBody()),
    await api.write('PATCH', `${path}?dry=1`, { display_name: 'Ivy' }),
    await api.write('PUT', `${path}/protection?dry=1`, { status: 'active' }),
    await api.write('POST', `${path}/scans?dry=1`, {}, { 'idempotency-key': 'k' }),
  ];
  expect(refused.map(refusedFields)).toEqual([['dry'], ['dry'], ['dry'], ['dry']]);
});

const collections = ['/v1/creators', `${path}/cases`, '/v1/events'];

test.each(collections)('%s: limit is 1 to 100, and is never clamped (D7)', async (list) => {
  for (const limit of ['1', '100']) expect((await api.get(`${list}?limit=${limit}`)).outcome).toBe('200');
  const wrong = ['0', '101', '-1', '1.5', '', '1e1', '0x10', '%201', '+5', '05', 'all', '9999999999999999999'];
  for (const limit of wrong) expect(refusedFields(await api.get(`${list}?limit=${limit}`))).toEqual(['limit']);
});

test.each(collections)('%s: a repeated parameter is 400 (D7)', async (list) => {
  expect(refusedFields(await api.get(`${list}?limit=5&limit=5`))).toEqual(['limit']);
  expect((await api.get(`${list}?after=a&after=b`)).outcome).toBe('400 invalid_request');
});

test.each(collections)('%s: what is no cursor is 400 (D13)', async (list) => {
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
