import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DAY, DomainError, HOUR, type Instant, MINUTE, SECOND } from '#kernel';
import { at, given, type Past } from '#testing';
import type { CreatorEvent } from '../creator.events.js';
import { byInvitation, creatorOf, fact, sent } from '../creator.fixtures.js';
import { creatorDecider } from '../creator.js';
import type { CreatorState } from '../creator.state.js';
import {
  BETWEEN_MAILS,
  type CountedMail,
  MAILS_PER_DAY,
  releaseResend,
  reserveMail,
  reserveResend,
} from './mail-allowance.js';

const START: Instant = Date.UTC(2026, 0, 1);
const invitation = (reference: string, at: Instant = START): CountedMail => ({ at, reference, isResend: false });
const resend = (reference: string, at: Instant = START): CountedMail => ({ at, reference, isResend: true });
const everyHour = (count: number, mail: typeof invitation): CountedMail[] =>
  Array.from({ length: count }, (_, n) => mail(`${n}`, START + n * HOUR));

const refusal = (mails: readonly CountedMail[], mail: CountedMail, callsAgain = false) => {
  try {
    return { counted: reserveMail(mails, mail, callsAgain).length };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { code: error.code, retryAfter: error.retryAfterSeconds };
  }
};
const limited = (retryAfter: number) => ({ code: 'rate_limited', retryAfter });

describe('invitations to one address (D88)', () => {
  it('are one a minute', () => {
    expect(refusal([invitation('a')], invitation('b', START + 20 * SECOND))).toEqual(limited(40));
    expect(refusal([invitation('a')], invitation('b', START + BETWEEN_MAILS - 1))).toEqual(limited(1));
    expect(refusal([invitation('a')], invitation('b', START + BETWEEN_MAILS))).toEqual({ counted: 2 });
  });

  it('are five in 24 hours; the sixth is sent when the first is a day old', () => {
    const five = everyHour(MAILS_PER_DAY, invitation);
    expect(MAILS_PER_DAY).toBe(5);
    expect(refusal(five.slice(1), invitation('x', START + 5 * HOUR))).toEqual({ counted: 5 });
    expect(refusal(five, invitation('x', START + 5 * HOUR))).toEqual(limited((19 * HOUR) / SECOND));
    expect(refusal(five, invitation('x', START + DAY))).toEqual({ counted: 5 });
  });

  it('a second request for the same enrollment counts once', () => {
    expect(reserveMail([invitation('a')], invitation('a', START + 1), false)).toEqual([invitation('a')]);
    expect(refusal(everyHour(5, invitation), invitation('0', START + 5 * HOUR))).toEqual({ counted: 5 });
  });

  it('one that calls the platform again counts again, without a minute in between, and is limited by the day', () => {
    expect(refusal([invitation('a')], invitation('a'), true)).toEqual({ counted: 2 });
    expect(refusal([invitation('a'), invitation('b')], invitation('a'), true)).toEqual(limited(60));
    expect(refusal(Array(5).fill(invitation('a')), invitation('a'), true)).toEqual(limited(DAY / SECOND));
  });

  it.each([HOUR, DAY])('D111: none counts that a clock recorded that was %s ms ahead', (ahead) => {
    expect(refusal(everyHour(5, invitation), invitation('x', START - ahead))).toEqual({ counted: 1 });
  });
});

describe('resends to one address (D39, D88)', () => {
  it('are limited among themselves: the first follows an invitation immediately, and five of them', () => {
    expect(refusal([invitation('a')], resend('b'))).toEqual({ counted: 2 });
    expect(refusal(everyHour(5, invitation), resend('b', START + 5 * HOUR))).toEqual({ counted: 6 });
    expect(refusal([resend('a')], resend('b', START + SECOND))).toEqual(limited(59));
    expect(refusal(everyHour(5, resend), resend('b', START + 5 * HOUR))).toEqual(limited((19 * HOUR) / SECOND));
  });

  it('count against invitations', () => {
    expect(refusal([resend('a')], invitation('b', START + SECOND))).toEqual(limited(59));
    expect(refusal(everyHour(5, resend), invitation('b', START + 5 * HOUR))).toEqual(limited((19 * HOUR) / SECOND));
  });
});

it('D88: no minute has two and no day six, and after the Retry-After one is sent, not a second before', () => {
  const waits = fc.array(fc.oneof(fc.nat({ max: 3 * MINUTE }), fc.nat({ max: 8 * HOUR })), {
    maxLength: 60,
    size: 'max',
  });
  fc.assert(
    fc.property(waits, (gaps) => {
      let mails: CountedMail[] = [];
      let now = START;
      const sentAt: Instant[] = [];
      for (const [n, gap] of gaps.entries()) {
        now += gap;
        try {
          mails = reserveMail(mails, invitation(`${n}`, now), false);
          sentAt.push(now);
        } catch (error) {
          const seconds = error instanceof DomainError ? (error.retryAfterSeconds ?? 0) : 0;
          const after = (wait: number) => reserveMail(mails, invitation(`${n}`, now + wait * SECOND), false);
          expect(() => after(seconds)).not.toThrow();
          expect(() => after(seconds - 1)).toThrow();
        }
      }
      for (const [n, at] of sentAt.entries()) {
        expect(at - (sentAt[n - 1] ?? Number.NEGATIVE_INFINITY)).toBeGreaterThanOrEqual(MINUTE);
        expect(at - (sentAt[n - 5] ?? Number.NEGATIVE_INFINITY)).toBeGreaterThanOrEqual(DAY);
      }
      expect(mails.length).toBeLessThanOrEqual(MAILS_PER_DAY);
    }),
  );
});

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
