import { invalidRequest } from '#kernel';
import type { CreatorEvent } from '../creator.events.js';
import { type CreatorState, type EnrolledCreator, hasLeft } from '../creator.state.js';
import { pauseProtection } from '../protection/protection.js';

/** Enrollments that still wait for an answer of the platform, or have something to send to it. */
const UNDER_WAY: ReadonlySet<string> = new Set(['enrolling', 'uncertain', 'invited', 'pending_onboarding']);

/** From here on it is not shown or observed. Refused while an operation is in progress that needs the data. */
export function eraseCreator(state: CreatorState): CreatorEvent[] {
  if (state.status === 'unknown') throw invalidRequest({ field: 'creator', message: 'is not known' });
  if (state.membership.status === 'erased') return [];
  const isToBeWritten = state.identityToWrite !== null && state.userId !== null;
  if (UNDER_WAY.has(state.enrollment.status) || isToBeWritten) {
    throw invalidRequest({ field: 'creator', message: 'is being enrolled: cancel that first, or let it end' });
  }
  if (state.slot.activation !== null) {
    throw invalidRequest({ field: 'creator', message: 'is being activated: try again when that is settled' });
  }
  return erasureOf(state);
}

/** D101: of a restored log. The key is destroyed already, so nothing that was in progress there can be read or sent. */
export function eraseCreatorWithoutKey(state: CreatorState): CreatorEvent[] {
  return state.status === 'unknown' || state.membership.status === 'erased' ? [] : erasureOf(state);
}

const erasureOf = (state: EnrolledCreator): CreatorEvent[] => {
  const ended: CreatorEvent[] = hasLeft(state) ? [] : [{ type: 'creator.membershipEnded.v1', data: {} }];
  return [...ended, ...pauseProtection(state, 'membership_ended'), { type: 'creator.personalDataErased.v1', data: {} }];
};

/** D72: recorded after the key is destroyed, so that each process drops what it has read of the creator until then. */
export function recordKeyDestroyed(state: CreatorState): CreatorEvent[] {
  if (state.status === 'unknown' || state.membership.status !== 'erased' || state.membership.keyDestroyed) return [];
  return [{ type: 'creator.personalKeyDestroyed.v1', data: {} }];
}
