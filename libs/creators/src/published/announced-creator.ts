import type { Decider, Instant } from '#kernel';
import type { CreatorEvent } from '../domain/creator.events.js';
import { creatorDecider } from '../domain/creator.js';
import type { CreatorState, EnrolledCreator } from '../domain/creator.state.js';
import { fullPublicCreator } from './public-creator.js';

export interface AnnouncedCreator {
  readonly state: CreatorState;
  /** The state and time of the last announcement; null before the first one, and while one is still to come (D77). */
  readonly announced: { readonly state: CreatorState; readonly at: Instant } | null;
}

/** An event that is not announced changes only the state: its changes are announced with the next one that is. */
export const announcedCreatorDecider = (
  isAnnounced: (type: CreatorEvent['type']) => boolean,
): Decider<AnnouncedCreator, CreatorEvent> => ({
  category: creatorDecider.category,
  initial: { state: creatorDecider.initial, announced: null },
  evolve(before, event, at) {
    const state = creatorDecider.evolve(before.state, event, at);
    const announced = lastAnnounced(before, event);
    if (!isAnnounced(event.type) || !isShown(state)) return { state, announced };
    return { state, announced: { state, at } };
  },
});

/** Null if the creator is seen again: then its present state is announced in any case (D77). */
export const lastAnnounced = (before: AnnouncedCreator, event: CreatorEvent): AnnouncedCreator['announced'] =>
  event.type === 'creator.memberFound.v1' || event.type === 'creator.returned.v1' ? null : before.announced;

/** D43: nothing is announced about a missing creator, one that has left, or one whose enrollment is only an intent. */
export const isShown = (state: CreatorState): state is EnrolledCreator => {
  if (state.status === 'unknown' || state.membership.status !== 'current') return false;
  const { status } = state.enrollment;
  if (status === 'enrolling' || status === 'not_admitted') return false;
  // A native user cannot be shown before its record was observed.
  return state.userId === null || state.standing !== null;
};

/** Whether what agencies see has changed since the last announcement. Protection alone does not count (D40). */
export const isChanged = (announced: AnnouncedCreator['announced'], now: EnrolledCreator, at: Instant): boolean =>
  announced === null || asShown(announced.state, announced.at) !== asShown(now, at);

const asShown = (state: CreatorState, at: Instant): string =>
  state.status === 'unknown' ? '' : JSON.stringify({ ...fullPublicCreator(state, at), protection_status: null });
