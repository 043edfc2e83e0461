import type { Instant } from '#kernel';
import type { CreatorEvent } from '../creator.events.js';
import { assertEnrolled, type CreatorState } from '../creator.state.js';
import { countedAt, requireAllowed } from './mail-allowance.js';

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
