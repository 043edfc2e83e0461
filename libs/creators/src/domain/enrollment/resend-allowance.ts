import { DAY, DomainError, type Duration, type Instant, MINUTE, SECOND } from '#kernel';
import type { CreatorEvent } from '../creator.events.js';
import type { EnrolledCreator, ResendReservation } from '../creator.state.js';

/** D39: how often an invitation may be sent again. */
export const RESENDS_PER_DAY = 5;
export const BETWEEN_RESENDS: Duration = MINUTE;

/** The resends of the last 24 hours. */
export const countedResends = (resends: readonly ResendReservation[], now: Instant): readonly ResendReservation[] =>
  resends.filter(({ at }) => now - at < DAY);

/** Reserves one of the allowed resends before anything is sent. The same resend reserves only one (D39). */
export function reserveResend({ resends }: EnrolledCreator, resendId: string, now: Instant): CreatorEvent[] {
  const counted = countedResends(resends, now);
  if (counted.some((resend) => resend.resendId === resendId)) return [];
  const freeAt = Math.max(
    (counted.at(-1)?.at ?? Number.NEGATIVE_INFINITY) + BETWEEN_RESENDS,
    (counted.at(-RESENDS_PER_DAY)?.at ?? Number.NEGATIVE_INFINITY) + DAY,
  );
  if (now < freeAt) throw new DomainError('rate_limited', { retryAfterSeconds: Math.ceil((freeAt - now) / SECOND) });
  return [{ type: 'creator.resendReserved.v1', data: { resendId } }];
}

/** Nothing was sent, so the resend does not count. */
export function releaseResend({ resends }: EnrolledCreator, resendId: string): CreatorEvent[] {
  const isReserved = resends.some((resend) => resend.resendId === resendId);
  return isReserved ? [{ type: 'creator.resendReleased.v1', data: { resendId } }] : [];
}
