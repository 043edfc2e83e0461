import {
  type AnnouncedStreams,
  type Announcements,
  announcesNothing,
  type CreatorId,
  type Decider,
  type Instant,
  type RecordedEvent,
} from '#kernel';
import type { CreatorEvent } from '../domain/creator.events.js';
import { creatorDecider } from '../domain/creator.js';
import type { CreatorState, EnrolledCreator } from '../domain/creator.state.js';
import { fullPublicCreator } from './public-creator.js';

interface AnnouncedCreator {
  readonly state: CreatorState;
  /** The state and time of the last announcement; null before the first one, and while one is pending (D77). */
  readonly announced: { readonly state: CreatorState; readonly at: Instant } | null;
}

/** An event that is not announced changes only the state: its changes are announced with the next one that is. */
const announcedCreatorDecider = (
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

/** Null if the creator is seen again: then its current state is announced in any case (D77). */
const lastAnnounced = (before: AnnouncedCreator, event: CreatorEvent): AnnouncedCreator['announced'] =>
  event.type === 'creator.memberFound.v1' || event.type === 'creator.returned.v1' ? null : before.announced;

/** D43: nothing is announced about a missing creator, one that has left, or one whose enrollment is only an intent. */
const isShown = (state: CreatorState): state is EnrolledCreator => {
  if (state.status === 'unknown' || state.membership.status !== 'current') return false;
  const { status } = state.enrollment;
  if (status === 'enrolling' || status === 'not_admitted') return false;
  // A native user cannot be shown before its record is observed.
  return state.userId === null || state.standing !== null;
};

/** Whether what agencies see has changed since the last announcement. Protection alone does not count (D40). */
const isChanged = (announced: AnnouncedCreator['announced'], now: EnrolledCreator, at: Instant): boolean =>
  announced === null || asShown(announced.state, announced.at) !== asShown(now, at);

const asShown = (state: CreatorState, at: Instant): string =>
  state.status === 'unknown' ? '' : JSON.stringify({ ...fullPublicCreator(state, at), protection_status: null });

export interface CreatorAnnouncement {
  readonly type: 'creator.updated' | 'protection.activated' | 'protection.paused';
  readonly creatorId: CreatorId;
  readonly data: object;
}

const PROTECTION_SCOPE = 'api_scan_schedule';

const updated = (
  before: AnnouncedCreator,
  { state }: AnnouncedCreator,
  event: RecordedEvent<CreatorEvent>,
): CreatorAnnouncement[] => {
  const { at } = event.metadata;
  if (!isShown(state) || !isChanged(lastAnnounced(before, event), state, at)) return [];
  return [{ type: 'creator.updated', creatorId: state.creatorId, data: { creator: fullPublicCreator(state, at) } }];
};

const protection = (
  type: 'protection.activated' | 'protection.paused',
  status: 'active' | 'paused',
  { state }: AnnouncedCreator,
  reason: string,
): CreatorAnnouncement[] =>
  state.status === 'unknown'
    ? []
    : [{ type, creatorId: state.creatorId, data: { status, scope: PROTECTION_SCOPE, reason } }];

const rows: Announcements<AnnouncedCreator, CreatorEvent, CreatorAnnouncement> = {
  'creator.enrolledByLink.v1': updated,
  'creator.enrolledByInvitation.v1': updated,
  'creator.imported.v1': updated,
  'creator.importLinked.v1': updated,
  'creator.identityWritten.v1': updated,
  'creator.identityWriteUnknown.v1': updated,
  'creator.invitationSent.v1': updated,
  'creator.invitationRefused.v1': updated,
  'creator.invitationUnknown.v1': updated,
  'creator.invitationResent.v1': updated,
  'creator.resendReserved.v1': announcesNothing,
  'creator.resendReleased.v1': announcesNothing,
  'creator.invitationAccepted.v1': updated,
  'creator.invitationExpired.v1': updated,
  'creator.invitationNotFound.v1': announcesNothing,
  'creator.invitationFound.v1': announcesNothing,
  'creator.invitationWithdrawn.v1': updated,
  'creator.onboarded.v1': updated,
  'creator.identityObserved.v2': updated,
  'creator.standingObserved.v1': updated,
  'creator.authorizationLapsed.v1': updated,
  'creator.rebound.v1': announcesNothing,
  'creator.activationRequested.v1': announcesNothing,
  'creator.activationAbandoned.v1': announcesNothing,
  'creator.protectionActivated.v1': (before, after, event) => [
    ...updated(before, after, event),
    ...protection('protection.activated', 'active', after, event.data.reason),
  ],
  'creator.protectionPaused.v1': (before, after, event) => [
    ...updated(before, after, event),
    ...protection('protection.paused', 'paused', after, event.data.reason),
  ],
  'creator.slotReleased.v1': announcesNothing,
  'creator.slotReoccupationRequested.v1': announcesNothing,
  'creator.slotReoccupied.v1': announcesNothing,
  'creator.slotFenceRaised.v1': announcesNothing,
  'creator.memberNotFound.v1': announcesNothing,
  'creator.memberFound.v1': updated,
  'creator.membershipEnded.v1': announcesNothing,
  'creator.returned.v1': updated,
  'creator.personalDataErased.v1': announcesNothing,
  'creator.personalKeyDestroyed.v1': announcesNothing,
};

export const creatorAnnouncements: AnnouncedStreams<AnnouncedCreator, CreatorEvent, CreatorAnnouncement> = {
  decider: announcedCreatorDecider((type) => rows[type] !== announcesNothing),
  rows,
};
