import type { Decider, Instant } from '#kernel';
import type { CreatorEvent } from '../domain/creator.events.js';
import { creatorDecider } from '../domain/creator.js';
import type { CreatorState, EnrolledCreator } from '../domain/creator.state.js';
import { fullPublicCreator } from './public-creator.js';

/** A creator, and as what agencies have last been told of it. */
export interface AnnouncedCreator {
  readonly state: CreatorState;
  /** The state and the time of the last announcement; null before the first, and while one is owed (D77). */
  readonly announced: { readonly state: CreatorState; readonly at: Instant } | null;
}

/**
 * Follows a creator's stream as the publisher does. An event that is not announced moves nothing here but the state: what
 * it changed, and what time has changed by then, is still to be announced with the next event that is.
 */
export const announcedCreatorDecider = (
  isAnnounced: (type: CreatorEvent['type']) => boolean,
): Decider<AnnouncedCreator, CreatorEvent> => ({
  category: creatorDecider.category,
  initial: { state: creatorDecider.initial, announced: null },
  evolve(before, event, at) {
    const state = creatorDecider.evolve(before.state, event, at);
    const announced = owed(before, event);
    if (!isAnnounced(event.type) || !isShown(state)) return { state, announced };
    return { state, announced: { state, at } };
  },
});

/**
 * What an announcement of the event is compared with. Nothing, where the creator is seen again: then one is made in any
 * case, with its present state (D77).
 */
export const owed = (before: AnnouncedCreator, event: CreatorEvent): AnnouncedCreator['announced'] =>
  event.type === 'creator.memberFound.v1' || event.type === 'creator.returned.v1' ? null : before.announced;

/** D43: nothing is announced about a missing creator, one that is no member, or one whose enrollment is only an intent. */
export const isShown = (state: CreatorState): state is EnrolledCreator => {
  if (state.status === 'unknown' || state.membership.status !== 'current') return false;
  const { status } = state.enrollment;
  if (status === 'enrolling' || status === 'not_admitted') return false;
  // Of a native user there is nothing to show before its record has been seen.
  return state.userId === null || state.standing !== null;
};

/** Whether what is shown has changed since it was announced; a change of protection alone is none (D40). */
export const isChanged = (announced: AnnouncedCreator['announced'], now: EnrolledCreator, at: Instant): boolean =>
  announced === null || asShown(announced.state, announced.at) !== asShown(now, at);

const asShown = (state: CreatorState, at: Instant): string =>
  state.status === 'unknown' ? '' : JSON.stringify({ ...fullPublicCreator(state, at), protection_status: null });
