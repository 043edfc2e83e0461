import type { Instant } from '#kernel';
import type { CreatorEvent } from '../creator.events.js';
import type { Slot } from '../creator.state.js';

type EventOf<Type extends CreatorEvent['type']> = Extract<CreatorEvent, { readonly type: Type }>['data'];

/** When the latest call to occupy the slot began that got no answer so far, or null. */
const unansweredCall = (slot: Slot): Instant | null => {
  switch (slot.status) {
    case 'free':
      return null;
    case 'requested':
    case 'reoccupying':
      return slot.since;
    case 'held':
    case 'to_release':
      return slot.unansweredSince;
  }
};

/** Asked for again, the call before this one got no answer. */
export const slotRequested = (
  slot: Slot,
  { activationId }: EventOf<'creator.activationRequested.v1'>,
  at: Instant,
): Slot => ({ status: 'requested', activationId, since: at, unansweredSince: unansweredCall(slot) });

/** An intent that was no longer open is abandoned because its call came later: that call may be under way still. */
export const slotAbandoned = (slot: Slot, { reason }: EventOf<'creator.activationAbandoned.v1'>, at: Instant): Slot => {
  if (slot.status !== 'requested') return { status: 'to_release', since: at, unansweredSince: at };
  const unansweredSince = reason === 'capacity_reached' ? slot.unansweredSince : slot.since;
  return { status: 'to_release', since: at, unansweredSince };
};

export const slotOccupied = (slot: Slot): Slot => ({
  status: 'held',
  unansweredSince: slot.status === 'requested' ? slot.unansweredSince : null,
});

/** A slot that was lost is known to be lost from an answer. */
export const slotUnneeded = (slot: Slot, { reason }: EventOf<'creator.protectionPaused.v1'>, at: Instant): Slot => ({
  status: 'to_release',
  since: at,
  unansweredSince: reason === 'slot_lost' ? null : unansweredCall(slot),
});

/** Missing again, it needs no slot before it is seen once more. */
export const withoutReoccupation = (slot: Slot): Slot =>
  slot.status === 'reoccupying' ? { status: 'held', unansweredSince: slot.since } : slot;
