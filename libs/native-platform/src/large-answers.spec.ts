import { beforeEach, expect, test } from '@jest/globals';
import { agencyId, type UserId } from '#kernel';
import { json, type Reply } from '../../testing/src/scripted-platform.js';
import type { NativePlatform } from './native-platform.js';
import * as fixtures from './records/records.fixtures.js';
import { scriptedService } from './testing/scripted-service.js';

const A = agencyId('ag_lumen');
const B = agencyId('ag_nova');
const U = fixtures.USER as UserId;
const RATE = 2 * 1024 * 1024;
/** Only a guard: no answer needs it, however busy the machine is. */
const AMPLE = 60_000;
/** A mebibyte and a half. */
const LARGEST_CREATOR = { ...fixtures.creator, aliases: Array.from({ length: 10_000 }, () => 'x'.repeat(150)) };
const LARGEST: Reply = json(200, LARGEST_CREATOR, { 'content-length': String(JSON.stringify(LARGEST_CREATOR).length) });
const LONGEST_URL = 'https://leaks.example/'.padEnd(2_000, 'x');
const SMALL: Reply = json(200, fixtures.creator);

const { service, connect } = await scriptedService();
let platform: NativePlatform;
beforeEach(() => {
  platform = connect({ timeout: AMPLE, largeBytesPerSecond: RATE });
});

const get = (agency = A) => platform.client.getCreator(agency, U);

test('large answers to one agency are received one after the other, at a bounded rate', async () => {
  service.answer(LARGEST);
  const began = performance.now();
  await Promise.all([get(), get(), get()]);
  expect(performance.now() - began).toBeGreaterThan(1_300);
});

test('pages of the longest leaks count, and those of the roster count twice', async () => {
  const leaks = Array.from({ length: 100 }, (_, n) => ({ ...fixtures.leak, leak_id: `${n}`, url: LONGEST_URL }));
  const { aliases } = LARGEST_CREATOR;
  service.answer(
    json(200, { data: leaks, next_cursor: null }),
    json(200, { data: [{ ...LARGEST_CREATOR, aliases: aliases.slice(0, 6_000) }], next_cursor: null }),
    json(200, { ...fixtures.creator, aliases: aliases.slice(0, 1_000) }),
  );
  const began = performance.now();
  await platform.client.listLeaks(A, U, { limit: 100 });
  await platform.client.listRoster(A, { limit: 100 });
  const afterLeaks = performance.now() - began;
  await get();
  // 216 KiB at 2 MiB a second; then 896 KiB twice, from when the answer was received and not from when it was read.
  expect(afterLeaks).toBeGreaterThan(90);
  expect(performance.now() - began).toBeGreaterThan(90 + 800);
});

test('after the largest answer the next one still gets its turn in time', async () => {
  // At this rate the answer counts for 24 seconds; half the timeout is the most that the next one waits.
  const slow = connect({ largeBytesPerSecond: RATE / 32 });
  service.answer(LARGEST);
  await slow.client.getCreator(A, U);
  await expect(slow.client.getCreator(A, U)).resolves.toMatchObject({ userId: U });
});

test('small answers, and large ones to another agency, do not wait for them', async () => {
  service.answer(LARGEST, LARGEST, LARGEST, LARGEST, LARGEST, SMALL);
  const ended: string[] = [];
  const end = (name: string) => () => ended.push(name);
  const large = [get(), get(), get(), get()].map((call) => call.then(end('large')));
  const other = get(B).then(end('other'));
  await other;
  await get().then(end('small'));
  await Promise.all(large);
  expect(ended.at(-1)).toBe('large');
  expect(ended).toHaveLength(6);
});

test('what does not get its turn in time is a timeout, and leaves the connection to others', async () => {
  platform = connect({ timeout: 3_000, largeBytesPerSecond: RATE });
  service.answer(LARGEST);
  const outcomes = await Promise.allSettled(Array.from({ length: 40 }, () => get()));
  const failed = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
  expect(failed.length).toBeGreaterThan(20);
  for (const failure of failed) expect(failure).toMatchObject({ code: 'provider_timeout' });
  service.answer(SMALL);
  await expect(get(B)).resolves.toMatchObject({ userId: U });
  await expect(get()).resolves.toMatchObject({ userId: U });
});
