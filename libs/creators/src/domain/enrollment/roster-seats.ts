import { ageOf, type CreatorId, DAY, DomainError, type Instant, MAX_CLOCK_SKEW, type Revision } from '#kernel';
import { type EnrolledCreator, hasLeft } from '../creator.state.js';
import type { Roster, RosterEvent, SeatReleaseReason } from './roster.js';

/** D31: enrollment is capped at this many times the agency's slots. */
export const ENROLLMENTS_PER_SLOT = 5;

/** D88: an agency with few slots may begin this many enrollments in 24 hours. */
export const LEAST_ENROLLMENTS_PER_DAY = 100;

/** D31: refuses if the agency's slots leave no seat for another enrollment. */
export const requireRoom = (roster: Roster, totalSlots: number): void => {
  if (roster.counted >= ENROLLMENTS_PER_SLOT * totalSlots) throw new DomainError('capacity_reached');
};

/** D88: `now` is what the clock shows. */
export const requireBeginning = ({ begun }: Roster, totalSlots: number, now: Instant): void => {
  const most = Math.max(LEAST_ENROLLMENTS_PER_DAY, ENROLLMENTS_PER_SLOT * totalSlots);
  const first = begun.get(-most);
  if (first !== undefined && ageOf(first, now, MAX_CLOCK_SKEW) < DAY) throw new DomainError('capacity_reached');
};

/** D31: the reason why the creator is not counted; undefined if it is counted. */
export const reasonOfRelease = (creator: EnrolledCreator): SeatReleaseReason | undefined => {
  const { status } = creator.enrollment;
  if (hasLeft(creator)) return 'transferred';
  if (status === 'failed' || status === 'not_admitted') return 'failed';
  return status === 'cancelled' || status === 'detached' ? status : undefined;
};

/** `revision`: of the creator's stream, in whose state the seat is released. */
export function release(
  roster: Roster,
  creatorId: CreatorId,
  reason: SeatReleaseReason,
  revision: Revision,
): RosterEvent[] {
  const entry = roster.creators.get(creatorId);
  const isOver = reason !== 'transferred' && entry !== undefined && revision <= entry.retriedAtRevision;
  return entry?.counted && !isOver ? [{ type: 'roster.creatorReleased.v1', data: { creatorId, reason } }] : [];
}

export function countAgain(roster: Roster, creatorId: CreatorId): RosterEvent[] {
  const entry = roster.creators.get(creatorId);
  return entry && !entry.counted && entry.fingerprint !== null && !entry.isDetached
    ? [{ type: 'roster.seatReservedAgain.v1', data: { creatorId } }]
    : [];
}

/** Reserves a seat to retry a refused enrollment. If its own seat was released, this needs a free one. */
export function reserveSeatForRetry(
  roster: Roster,
  creatorId: CreatorId,
  revision: Revision,
  totalSlots: number,
  now: Instant,
): RosterEvent[] {
  const entry = roster.creators.get(creatorId);
  if (entry === undefined || entry.retriedAtRevision === revision) return [];
  if (!entry.counted) requireRoom(roster, totalSlots);
  requireBeginning(roster, totalSlots, now);
  return [{ type: 'roster.enrollmentRetried.v1', data: { creatorId, revision } }];
}
