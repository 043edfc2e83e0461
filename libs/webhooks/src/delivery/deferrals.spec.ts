import { expect, it } from '@jest/globals';
import { derivedId, SECOND } from '#kernel';
import { Deferrals } from './deferrals.js';

const [one, two] = [derivedId('webhookDelivery', 1), derivedId('webhookDelivery', 2)];
const NOW = 1_000;

it('defers a delivery until the time, and no other', () => {
  const deferrals = new Deferrals();
  deferrals.deferUntil(one, NOW);
  expect([NOW - 1, NOW].map((now) => deferrals.isDeferred(one, now))).toEqual([true, false]);
  expect(deferrals.isDeferred(two, 0)).toBe(false);
  expect(deferrals.hasFailed(one)).toBe(false);
});

it('doubles the delay with each consecutive failure, up to five minutes', () => {
  const deferrals = new Deferrals();
  const delays = Array.from({ length: 11 }, () => deferrals.recordFailure(one, false, NOW).until - NOW);
  expect(delays.map((delay) => delay / SECOND)).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]);
  expect(deferrals.hasFailed(one)).toBe(true);
  deferrals.delete(one);
  expect(deferrals.recordFailure(one, false, NOW).until).toBe(NOW + SECOND);
});

it('D67: counts the failures that were the delivery’s own', () => {
  const deferrals = new Deferrals();
  const tries = [true, false, true].map((isOwn) => deferrals.recordFailure(one, isOwn, NOW).tries);
  expect(tries).toEqual([1, 1, 2]);
});

it('keeps only what is still due', () => {
  const deferrals = new Deferrals();
  for (const id of [one, two]) deferrals.recordFailure(id, true, NOW);
  deferrals.retain(new Map([[two, 0]]));
  expect([deferrals.size, deferrals.hasFailed(one), deferrals.hasFailed(two)]).toEqual([1, false, true]);
});
