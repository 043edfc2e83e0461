import type { Instant } from '#kernel';
import type { CreatorEvent } from '../creator.events.js';
import type { EnrolledCreator, Slot } from '../creator.state.js';

type EventOf<Type extends CreatorEvent['type']> = Extract<CreatorEvent, { readonly type: Type }>['data'];

/** When the latest call to occupy the slot began that got no answer so far, or null. */
const unansweredCall = (slot: Slot): Instant | null => {
  switch (slot.status) {
    case 'free':
      return null;
    case 'requested':
      return slot.since;
    case 'held':
    case 'reoccupying':
    case 'to_release':
      return slot.unansweredSince;
  }
};

/** Whether a release may have got no answer. One that is to be done may have been tried. */
const releaseMayFollow = (slot: Slot): boolean => slot.status === 'to_release' || slot.releaseMayFollow;

/** Asked for again, the call before this one got no answer. */
export const slotRequested = (
  slot: Slot,
  { activationId }: EventOf<'creator.activationRequested.v1'>,
  at: Instant,
): Slot => ({
  status: 'requested',
  activationId,
  since: at,
  unansweredSince: unansweredCall(slot),
  releaseMayFollow: releaseMayFollow(slot),
});

/** An intent that was no longer open is abandoned because its call came later: that call may be under way still. */
export const slotAbandoned = (slot: Slot, { reason }: EventOf<'creator.activationAbandoned.v1'>, at: Instant): Slot => {
  const toRelease = { status: 'to_release', since: at, reoccupyingSince: null } as const;
  if (slot.status !== 'requested') return { ...toRelease, unansweredSince: at };
  return { ...toRelease, unansweredSince: reason === 'capacity_reached' ? slot.unansweredSince : slot.since };
};

export const slotOccupied = (slot: Slot): Slot => ({
  status: 'held',
  unansweredSince: slot.status === 'requested' ? slot.unansweredSince : null,
  releaseMayFollow: false,
});

/** The call for a creator that was missing begins now (D77); for a member, when no release can follow any more (D42). */
export const slotReoccupying = ({ slot, membership }: EnrolledCreator, at: Instant): Slot => {
  const isMember = membership.status === 'current';
  return {
    status: 'reoccupying',
    since: at,
    unansweredSince: isMember ? unansweredCall(slot) : at,
    releaseMayFollow: isMember || releaseMayFollow(slot),
  };
};

/** A slot that was lost is known to be lost from an answer. */
export const slotUnneeded = (slot: Slot, { reason }: EventOf<'creator.protectionPaused.v1'>, at: Instant): Slot => {
  if (reason === 'slot_lost') return { status: 'to_release', since: at, unansweredSince: null, reoccupyingSince: null };
  const reoccupyingSince = slot.status === 'reoccupying' ? slot.since : null;
  return { status: 'to_release', since: at, unansweredSince: unansweredCall(slot), reoccupyingSince };
};

/** The answer says nothing about an earlier release, of this pause or of the one before. */
export const slotReleased = (slot: Slot, { mayBeRepeat }: EventOf<'creator.slotReleased.v1'>): Slot => ({
  status: 'free',
  releaseMayFollow: mayBeRepeat === true || (slot.status === 'to_release' && slot.reoccupyingSince !== null),
});

/** Missing (again), it needs no slot before it is seen once more. */
export const withoutReoccupation = (slot: Slot): Slot => {
  if (slot.status !== 'reoccupying') return slot;
  const { unansweredSince, releaseMayFollow } = slot;
  return { status: 'held', unansweredSince, releaseMayFollow };
};
