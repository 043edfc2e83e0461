import { ageOf, DAY, DomainError, type Duration, type Instant, MAX_CLOCK_SKEW, MINUTE, SECOND } from '#kernel';
import type { CreatorEvent } from '../creator.events.js';
import { assertEnrolled, type CreatorState } from '../creator.state.js';

/** Reserves one of the allowed resends before anything is sent. The same resend reserves only one (D39). */
export function reserveResend(state: CreatorState, resendId: string, now: Instant): CreatorEvent[] {
  const counted = countedAt(assertEnrolled(state).resends, now);
  if (counted.some((resend) => resend.resendId === resendId)) return [];
  requireAllowed(
    counted.map(({ at }) => at),
    now,
  );
  return [{ type: 'creator.resendReserved.v1', data: { resendId } }];
}

/** Nothing was sent, so the resend does not count. */
export function releaseResend(state: CreatorState, resendId: string): CreatorEvent[] {
  const isReserved = assertEnrolled(state).resends.some((resend) => resend.resendId === resendId);
  return isReserved ? [{ type: 'creator.resendReleased.v1', data: { resendId } }] : [];
}

/** D39, D88: limits how often an invitation is resent, and how often one is sent to an address. */
export const MAILS_PER_DAY = 5;
export const BETWEEN_MAILS: Duration = MINUTE;

/** An invitation of an agency that was sent to an address, or may have been. */
export interface CountedMail {
  readonly at: Instant;
  /** The platform sends one mail for it, however often it is called. */
  readonly reference: string;
  readonly isResend: boolean;
}

/** Those of the last 24 hours. */
export const countedAt = <Timed extends { readonly at: Instant }>(mails: readonly Timed[], now: Instant): Timed[] =>
  mails.filter(({ at }) => ageOf(at, now, MAX_CLOCK_SKEW) < DAY);

/** `rate_limited` within a minute after one of the `spaced`, and while five count. */
export function requireAllowed(counted: readonly Instant[], now: Instant, spaced = counted): void {
  const latest = Math.max(...spaced);
  const first = counted.toSorted((one, other) => one - other).at(-MAILS_PER_DAY) ?? Number.NEGATIVE_INFINITY;
  const freeAt = Math.max(latest + BETWEEN_MAILS, first + DAY);
  if (now < freeAt) throw new DomainError('rate_limited', { retryAfterSeconds: Math.ceil((freeAt - now) / SECOND) });
}

/** D88: another call to the platform for an invitation counts, without the minute between; other repeats do not. */
export function reserveMail(mails: readonly CountedMail[], mail: CountedMail, callsAgain: boolean): CountedMail[] {
  const counted = countedAt(mails, mail.at);
  const isOther = ({ reference }: CountedMail) => reference !== mail.reference;
  if (!callsAgain && !counted.every(isOther)) return counted;
  const limiting = mail.isResend ? counted.filter(({ isResend }) => isResend) : counted;
  requireAllowed(timesOf(limiting), mail.at, timesOf(limiting.filter(isOther)));
  return [...counted, mail];
}

const timesOf = (mails: readonly CountedMail[]): Instant[] => mails.map(({ at }) => at);
