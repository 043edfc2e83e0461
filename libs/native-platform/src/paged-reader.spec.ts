import { beforeEach, expect, test } from '@jest/globals';
import { agencyId, type UserId } from '#kernel';
import { json, type Reply } from '../../testing/src/scripted-platform.js';
import type { NativePlatform } from './native-platform.js';
import * as fixtures from './records/records.fixtures.js';
import { scriptedService } from './testing/scripted-service.js';

const A = agencyId('ag_lumen');
const FAST = 64 * 1024 * 1024;
const ALIASES = Array.from({ length: 750 }, () => '"'.repeat(160));

const { service, connect } = await scriptedService();
let platform: NativePlatform;
beforeEach(() => {
  platform = connect({ largeBytesPerSecond: FAST });
});

const userIdOf = (n: number) => `${n.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`;

/** As many of the largest creators as are asked for. */
const largest = (count: number): Reply => {
  const data = Array.from({ length: count }, (_, n) => ({
    ...fixtures.creator,
    user_id: userIdOf(n + 1),
    aliases: ALIASES,
  }));
  return json(200, { data, next_cursor: userIdOf(count) });
};
const limits = () => service.calls.map(({ url }) => Number(new URL(url, service.url).searchParams.get('limit')));

test('a roster page of the largest creators is asked for again with fewer, and so is the next one', async () => {
  service.answer(largest(50), largest(13), largest(4));
  const page = await platform.client.listRoster(A, { limit: 50 });
  expect(limits()).toEqual([50, 13, 4]);
  expect(page.creators).toHaveLength(4);
  expect(page.nextCursor).toBe(userIdOf(4));

  service.answer(json(200, { data: [], next_cursor: null }));
  await platform.client.listRoster(A, { limit: 50 });
  expect(limits()).toEqual([8]);
});

test('a page whose headers say that it is too long is not received', async () => {
  const neverEnding: Reply = (response) => response.writeHead(200, { 'content-length': 2 * 1024 * 1024 }).write('{');
  service.answer(neverEnding, json(200, { data: [], next_cursor: null }));
  await platform.client.listRoster(A, { limit: 50 });
  expect(limits()).toEqual([50, 13]);
});

test('the limit of other agencies does not change, and after short pages this one grows again', async () => {
  service.answer(largest(20), largest(5), largest(2), json(200, { data: [], next_cursor: null }));
  await platform.client.listRoster(A, { limit: 20 });
  await platform.client.listRoster(agencyId('ag_nova'), { limit: 20 });
  await platform.client.listRoster(A, { limit: 20 });
  await platform.client.listRoster(A, { limit: 20 });
  await platform.client.listRoster(A, { limit: 20 });
  expect(limits()).toEqual([20, 5, 2, 20, 4, 8, 16]);
});

test('D65: leaks of any size are left out singly, and do not hide the others of their page', async () => {
  const leaks = (...urls: string[]) =>
    json(200, { data: urls.map((url, n) => ({ ...fixtures.leak, leak_id: `leak-${n}`, url })), next_cursor: null });
  const [fine, huge] = ['https://leaks.example/1', 'x'.repeat(6 * 1024 * 1024)];
  service.answer(leaks(fine, huge), leaks(huge), leaks(fine));
  const page = await platform.client.listLeaks(A, userIdOf(1) as UserId, { limit: 4 });
  expect(limits()).toEqual([4, 1]);
  expect(page).toMatchObject({ leaks: [], refused: [{ id: 'leak-0' }] });
});
