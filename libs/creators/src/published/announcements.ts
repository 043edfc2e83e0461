import {
  type AnnouncedStreams,
  type Announcements,
  announcesNothing,
  type CreatorId,
  type RecordedEvent,
} from '#kernel';
import type { CreatorEvent } from '../domain/creator.events.js';
import {
  type AnnouncedCreator,
  announcedCreatorDecider,
  isChanged,
  isShown,
  lastAnnounced,
} from './announced-creator.js';
import { fullPublicCreator } from './public-creator.js';

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
