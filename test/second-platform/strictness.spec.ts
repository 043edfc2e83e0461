import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { SecondPlatform } from './index.js';

const AGENCY = 'a1';
const USER = '0b0e7a52-4f7e-4bb1-9d5c-6a2f3c1d0e01';
let second: SecondPlatform;

beforeAll(async () => {
  second = await SecondPlatform.start(Date.now);
  second.control.openAgency(AGENCY);
  second.control.addCreator(AGENCY, { user_id: USER });
});
afterAll(() => second.stop());

interface Sent {
  headers?: Record<string, string>;
  body?: unknown;
}

/** The status, and the breaches that the request was recorded as. */
const send = async (method: string, path: string, { headers = {}, body }: Sent = {}) => {
  const before = second.record.breaches.length;
  const json: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
  const answer = await fetch(second.platform.url + path, {
    method,
    headers: { authorization: `Bearer ${second.platform.token}`, ...json, ...headers },
    body: body === undefined ? null : JSON.stringify(body),
  });
  await answer.text();
  return [answer.status, second.record.breaches.slice(before).length];
};

const REPORTS = `/agencies/${AGENCY}/creators/${USER}/impersonations`;
const fence = { fence: '7' };
const key = { 'idempotency-key': 'k1' };
const report = { reference: 'k1', url: 'https://x.com/not_her' };

test('a request as the contract has it is no breach, nor is one for what is not there', async () => {
  expect(await send('POST', REPORTS, { headers: key, body: report })).toEqual([201, 0]);
  expect(await send('POST', REPORTS, { headers: key, body: report })).toEqual([201, 0]);
  expect(await send('GET', '/agencies/nobody')).toEqual([404, 0]);
  expect(second.record.sentTwice()).toEqual(['reportImpersonation k1']);
});

test.each<[breach: string, status: number, method: string, path: string, sent?: Sent]>([
  ['another token', 401, 'GET', `/agencies/${AGENCY}`, { headers: { authorization: 'Bearer e-token' } }],
  ['an unknown path', 404, 'GET', '/agencies'],
  ['a path with a slash at its end', 404, 'GET', `/agencies/${AGENCY}/`],
  ['an operation of another service', 404, 'GET', '/scan-jobs?reference=r'],
  ['another method', 405, 'POST', `/agencies/${AGENCY}`, { headers: key }],
  ['no key', 400, 'POST', REPORTS, { body: report }],
  ['an empty key', 400, 'POST', REPORTS, { headers: { 'idempotency-key': '' }, body: report }],
  ['a key that is too long', 400, 'POST', REPORTS, { headers: { 'idempotency-key': 'k'.repeat(121) }, body: report }],
  ['a reference that is not the key', 400, 'POST', REPORTS, { headers: { 'idempotency-key': 'k2' }, body: report }],
  ['the key with another body', 409, 'POST', REPORTS, { headers: key, body: { ...report, url: 'https://x.com/her' } }],
  ['the key for another operation', 409, 'POST', `/agencies/${AGENCY}/invitations/i/resend`, { headers: key }],
  ['a key on a read', 400, 'GET', `/agencies/${AGENCY}`, { headers: key }],
  ['an unknown header', 400, 'GET', `/agencies/${AGENCY}`, { headers: { 'x-request-id': '1' } }],
  ['another content type', 415, 'POST', REPORTS, { headers: { ...key, 'content-type': 'text/plain' }, body: report }],
  ['a body where there is none', 400, 'PUT', `/agencies/${AGENCY}/slots/${USER}`, { headers: fence, body: {} }],
  ['no fence', 400, 'PUT', `/agencies/${AGENCY}/slots/${USER}`],
  ['a fence that is no number', 400, 'PUT', `/agencies/${AGENCY}/slots/${USER}`, { headers: { fence: '1.0' } }],
  ['a fence elsewhere', 400, 'GET', `/agencies/${AGENCY}`, { headers: fence }],
  ['an unknown member', 400, 'POST', REPORTS, { headers: key, body: { ...report, note: '' } }],
  ['a member of another type', 400, 'PATCH', `/agencies/${AGENCY}/creators/${USER}`, { body: { aliases: 'Ivy' } }],
  [
    'an unknown member inside',
    400,
    'PATCH',
    `/agencies/${AGENCY}/creators/${USER}`,
    { body: { profiles: [{ platform: 'x', username: 'ivy', url: '' }] } },
  ],
  ['an empty change', 400, 'PATCH', `/agencies/${AGENCY}/creators/${USER}`, { body: {} }],
  ['an unknown query', 400, 'GET', `${REPORTS}?cursor=c`],
  ['a query twice', 400, 'GET', `${REPORTS}?limit=1&limit=1`],
  ['a limit that is too high', 400, 'GET', `${REPORTS}?limit=201`],
  ['a query that is missing', 400, 'GET', `/agencies/${AGENCY}/invitations`],
  ['a cursor that nobody gave out', 400, 'GET', `${REPORTS}?after=fake:1`],
  ['a user id that is no UUID', 400, 'GET', `/agencies/${AGENCY}/creators/undefined`],
])('%s is refused with %i, and recorded', async (_, status, method, path, ...[sent]) => {
  expect(await send(method, path, sent)).toEqual([status, 1]);
});

test('one of its answers that is not to the letter is a slip', async () => {
  const count = second.record.slips.length;
  second.control.openAgency('broken', { total_slots: -1 });
  expect(await send('GET', '/agencies/broken/capacity')).toEqual([200, 0]);
  expect(second.record.slips).toHaveLength(count + 1);
});
