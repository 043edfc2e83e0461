import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DAY, DomainError, HOUR, type Instant, MINUTE, SECOND } from '#kernel';
import { at, given, type Past } from '#testing';
import type { CreatorEvent } from '../creator.events.js';
import { byInvitation, creatorOf, fact, sent } from '../creator.fixtures.js';
import { creatorDecider } from '../creator.js';
import type { CreatorState } from '../creator.state.js';
import { BETWEEN_MAILS, MAILS_PER_DAY } from './mail-allowance.js';
import { releaseResend, reserveResend } from './resend-allowance.js';

const START = 1_700_000_000_000;
const reserved = (resendId: string | number) => fact('resendReserved', { resendId: `${resendId}` });
const released = (resendId: string | number) => fact('resendReleased', { resendId: `${resendId}` });
const invited: Past<CreatorEvent> = [at(START, byInvitation), at(START, sent)];
const hourly = (count: number): Past<CreatorEvent> => [
  ...invited,
  ...Array.from({ length: count }, (_, index) => at(START + index * HOUR, reserved(index))),
];

const givenCreator = (past: Past<CreatorEvent>) => given(creatorDecider, past);
const reserve = (resendId: string) => (state: CreatorState, now: Instant) => reserveResend(state, resendId, now);
const release = (resendId: string) => (state: CreatorState) => releaseResend(state, resendId);

describe('one a minute', () => {
  it('D39: the first is sent immediately: the invitation itself was no resend', () => {
    givenCreator(invited)
      .when(reserve('a'), START)
      .then([reserved('a')]);
  });

  it.each([
    [0, 60],
    [1, 60],
    [20 * SECOND, 40],
    [MINUTE - 1, 1],
  ])('D39: %i ms after the last, %i seconds are to be waited', (passed, seconds) => {
    givenCreator([...invited, at(START, reserved('a'))])
      .when(reserve('b'), START + passed)
      .thenRefused('rate_limited', seconds);
  });

  it('D39: a minute later the next is sent', () => {
    givenCreator([...invited, at(START, reserved('a'))])
      .when(reserve('b'), START + BETWEEN_MAILS)
      .then([reserved('b')]);
  });
});

describe('five in 24 hours', () => {
  it('D39: the sixth waits until the first is a day old, to the millisecond', () => {
    expect(MAILS_PER_DAY).toBe(5);
    givenCreator(hourly(4))
      .when(reserve('x'), START + 4 * HOUR)
      .then([reserved('x')]);
    givenCreator(hourly(5))
      .when(reserve('x'), START + 5 * HOUR)
      .thenRefused('rate_limited', (19 * HOUR) / SECOND);
    givenCreator(hourly(5))
      .when(reserve('x'), START + DAY - 1)
      .thenRefused('rate_limited', 1);
    givenCreator(hourly(5))
      .when(reserve('x'), START + DAY)
      .then([reserved('x')]);
  });
});

describe('a reservation', () => {
  it('is reserved once for the same resend, even if the allowance is used up', () => {
    givenCreator(hourly(5))
      .when(reserve('4'), START + 4 * HOUR)
      .thenNothing();
    givenCreator(hourly(5))
      .when(reserve('0'), START + DAY - 1)
      .thenNothing();
  });

  it('that was released does not count', () => {
    givenCreator([...hourly(5), released(4)])
      .when(reserve('x'), START + 4 * HOUR)
      .then([reserved('x')]);
    givenCreator([...hourly(5), released(0)])
      .when(reserve('x'), START + 4 * HOUR + MINUTE)
      .then([reserved('x')]);
  });

  it('is released once, and only if it was reserved', () => {
    givenCreator(hourly(1))
      .when(release('0'))
      .then([released(0)]);
    givenCreator([...hourly(1), released(0)])
      .when(release('0'))
      .thenNothing();
    givenCreator(hourly(1)).when(release('other')).thenNothing();
  });

  it('is not remembered for longer than it counts', () => {
    const past = Array.from({ length: 40 }, (_, index) => at(START + index * 6 * HOUR, reserved(index)));
    expect(creatorOf([...invited, ...past]).resends.length).toBeLessThanOrEqual(MAILS_PER_DAY);
  });
});

it('D39: no minute holds two and no day six, and after the Retry-After it is sent, not a second before', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.integer({ min: 0, max: 3 * MINUTE }), fc.integer({ min: 0, max: 8 * HOUR })), {
        maxLength: 40,
        size: 'max',
      }),
      (waits) => {
        let creator = creatorOf(invited);
        let now = START;
        const counted: Instant[] = [];
        waits.forEach((wait, index) => {
          now += wait;
          try {
            for (const event of reserveResend(creator, `${index}`, now)) {
              const next = creatorDecider.evolve(creator, event, now);
              if (next.status === 'known') creator = next;
              counted.push(now);
            }
          } catch (error) {
            if (!(error instanceof DomainError)) throw error;
            const seconds = error.retryAfterSeconds ?? 0;
            expect(() => reserveResend(creator, `${index}`, now + seconds * SECOND)).not.toThrow();
            expect(() => reserveResend(creator, `${index}`, now + (seconds - 1) * SECOND)).toThrow();
          }
        });
        counted.forEach((last, index) => {
          expect(last - (counted[index - 1] ?? Number.NEGATIVE_INFINITY)).toBeGreaterThanOrEqual(MINUTE);
          expect(last - (counted[index - 5] ?? Number.NEGATIVE_INFINITY)).toBeGreaterThanOrEqual(DAY);
        });
      },
    ),
  );
});
