import { type CreatorId, DomainError, type Revision } from '#kernel';
import type { RosterEvent, SeatReleaseReason } from './roster.events.js';
import type { Roster } from './roster.js';

/** D31: enrollment is capped at this many times the agency's slots. */
export const ENROLLMENTS_PER_SLOT = 5;

/** D31: refuses if the agency's slots leave no seat for another enrollment. */
export const requireRoom = (roster: Roster, totalSlots: number): void => {
  if (roster.counted >= ENROLLMENTS_PER_SLOT * totalSlots) throw new DomainError('capacity_reached');
};

/** `revision` is that of the creator's event that releases the seat. */
export function release(
  roster: Roster,
  creatorId: CreatorId,
  reason: SeatReleaseReason,
  revision: Revision,
): RosterEvent[] {
  const entry = roster.creators.get(creatorId);
  const isOver = reason === 'failed' && entry !== undefined && revision <= entry.retriedAtRevision;
  return entry?.counted && !isOver ? [{ type: 'roster.creatorReleased.v1', data: { creatorId, reason } }] : [];
}

export function countAgain(roster: Roster, creatorId: CreatorId): RosterEvent[] {
  const entry = roster.creators.get(creatorId);
  return entry && !entry.counted && entry.fingerprint !== null && !entry.isDetached
    ? [{ type: 'roster.seatReservedAgain.v1', data: { creatorId } }]
    : [];
}

/** Reserves a seat to try a refused enrollment again. If its own seat was released, this needs a free one. */
export function reserveSeatForRetry(
  roster: Roster,
  creatorId: CreatorId,
  revision: Revision,
  totalSlots: number,
): RosterEvent[] {
  const entry = roster.creators.get(creatorId);
  if (entry === undefined || entry.retriedAtRevision === revision) return [];
  if (!entry.counted) requireRoom(roster, totalSlots);
  return [{ type: 'roster.enrollmentRetried.v1', data: { creatorId, revision } }];
}
