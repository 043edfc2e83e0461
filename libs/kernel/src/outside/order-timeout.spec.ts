import { expect, it } from '@jest/globals';
import { HOUR } from '../instant.js';
import { ORDER_TIMEOUT } from './order.js';
import { decideAfterWait } from './order-timeout.js';

const AT = 1_000;
const last = { at: AT, position: 7 };
/** What time a decision is given that the clock shows as `now`, after an event at `position`. */
const timeGiven = (left: number, now: number, position = last.position): number | undefined =>
  decideAfterWait<null, number>(last, { wait: ORDER_TIMEOUT, left }, (_, time) => [time])(null, now, position)[0];

it.each([
  ['the time of the clock while the order has time left', HOUR, AT + HOUR, AT + HOUR],
  [
    'no time after the 72 hours while some of them are left: the clock is ahead',
    HOUR,
    AT + 2 * ORDER_TIMEOUT,
    AT + ORDER_TIMEOUT - 1,
  ],
  ['a time after the 72 hours once they have passed: the last event bears a false time', 0, AT, AT + ORDER_TIMEOUT],
  ['the time of the clock once they have passed', 0, AT + 2 * ORDER_TIMEOUT, AT + 2 * ORDER_TIMEOUT],
])('D93: a decision is given %s', (_what, left, now, given) => {
  expect(timeGiven(left, now)).toBe(given);
});

it('D93: the 72 hours of an event that was recorded since have only begun', () => {
  expect(timeGiven(0, AT, last.position + 1)).toBe(AT);
});
