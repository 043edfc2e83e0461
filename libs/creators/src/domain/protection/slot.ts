import type { Instant } from '#kernel';
import type { CreatorEvent } from '../creator.events.js';
import type { EnrolledCreator, Slot } from '../creator.state.js';

type EventOf<Type extends CreatorEvent['type']> = Extract<CreatorEvent, { readonly type: Type }>['data'];

/** When the latest call to occupy the slot that has no answer began, or null. */
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

/** Whether an earlier release may have got no answer. In `to_release` a release may already have been sent. */
const lateReleasePossible = (slot: Slot): boolean => slot.status === 'to_release' || slot.lateReleasePossible;

/** Requested again: the previous call got no answer. */
export const slotRequested = (
  slot: Slot,
  { activationId }: EventOf<'creator.activationRequested.v1'>,
  at: Instant,
): Slot => ({
  status: 'requested',
  activationId,
  since: at,
  unansweredSince: unansweredCall(slot),
  lateReleasePossible: lateReleasePossible(slot),
});

/** Without an open intent, the event reports a call that ended after its intent: the call may still take effect. */
export const slotAbandoned = (slot: Slot, { reason }: EventOf<'creator.activationAbandoned.v1'>, at: Instant): Slot => {
  const toRelease = { status: 'to_release', since: at, reoccupyingSince: null } as const;
  if (slot.status !== 'requested') return { ...toRelease, unansweredSince: at };
  return { ...toRelease, unansweredSince: reason === 'capacity_reached' ? slot.unansweredSince : slot.since };
};

export const slotOccupied = (slot: Slot): Slot => ({
  status: 'held',
  unansweredSince: slot.status === 'requested' ? slot.unansweredSince : null,
  lateReleasePossible: false,
});

/**
 * The call to occupy the slot again begins now: for a creator that was missing (D77), or for a member whose late release can
 * no longer take effect (D42).
 */
export const slotReoccupying = ({ slot, membership }: EnrolledCreator, at: Instant): Slot => {
  const isMember = membership.status === 'current';
  return {
    status: 'reoccupying',
    since: at,
    unansweredSince: isMember ? unansweredCall(slot) : at,
    lateReleasePossible: isMember || lateReleasePossible(slot),
  };
};

/** With `slot_lost` the platform has answered that the slot is free, so no call is open. */
export const slotUnneeded = (slot: Slot, { reason }: EventOf<'creator.protectionPaused.v1'>, at: Instant): Slot => {
  if (reason === 'slot_lost') return { status: 'to_release', since: at, unansweredSince: null, reoccupyingSince: null };
  const reoccupyingSince = slot.status === 'reoccupying' ? slot.since : null;
  return { status: 'to_release', since: at, unansweredSince: unansweredCall(slot), reoccupyingSince };
};

/** The answer says nothing about an earlier release, of this pause or of the one before. */
export const slotReleased = (slot: Slot, { mayBeRepeat }: EventOf<'creator.slotReleased.v1'>): Slot => ({
  status: 'free',
  lateReleasePossible: mayBeRepeat === true || (slot.status === 'to_release' && slot.reoccupyingSince !== null),
});

/** A missing creator needs no slot until it is seen again. */
export const withoutReoccupation = (slot: Slot): Slot => {
  if (slot.status !== 'reoccupying') return slot;
  const { unansweredSince, lateReleasePossible } = slot;
  return { status: 'held', unansweredSince, lateReleasePossible };
};
