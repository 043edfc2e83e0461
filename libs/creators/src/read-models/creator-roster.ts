import {
  type CreatorId,
  type Document,
  type Instant,
  isStandIn,
  projection,
  type RecordedEvent,
  streamId,
  type WorkspaceId,
  wordsOf,
} from '#kernel';
import { DASHBOARD_READ_MODELS } from '#projections';
import type { CreatorEvent } from '../domain/creator.events.js';
import { creatorDecider, withNamesAlone } from '../domain/creator.js';
import { type CreatorState, type EnrolledCreator, isAccessible } from '../domain/creator.state.js';
import { shownIdentity } from '../domain/identity/identity.js';

/** A creator or invitee as the dashboard lists, sorts and filters it. What the page shows comes from the stream. */
export interface CreatorEntry extends Document {
  readonly id: CreatorId;
  readonly workspaceId: WorkspaceId;
  /** Whether the agency can see the creator. */
  readonly isShown: 0 | 1;
  readonly enrollment: EnrolledCreator['enrollment']['status'];
  readonly protection: EnrolledCreator['protection']['status'];
  readonly createdAt: Instant;
  /** The name without case and accents, then the id. An erasure removes the name (D72). */
  readonly order: string;
  /** The folded stream with no text but the name, as JSON. The next event is folded into it. */
  readonly state: string;
}

const orderOf = (state: EnrolledCreator): string => {
  const { displayName } = shownIdentity(state);
  const name = isStandIn(displayName) ? '' : wordsOf(displayName).join(' ') || displayName;
  return `${name}\t${state.creatorId}`;
};

const changesEntry = {
  documents: ({ stream }: RecordedEvent) => streamId(stream),
  fold: (entry: CreatorEntry | undefined, event: RecordedEvent<CreatorEvent>): CreatorEntry | undefined => {
    const before: CreatorState = entry === undefined ? creatorDecider.initial : JSON.parse(entry.state);
    const state = withNamesAlone(creatorDecider.evolve(before, event, event.metadata.at));
    if (state.status === 'unknown') return undefined;
    const { creatorId, workspaceId, createdAt, enrollment, protection } = state;
    return {
      id: creatorId,
      workspaceId,
      isShown: isAccessible(state) ? 1 : 0,
      enrollment: enrollment.status,
      protection: protection.status,
      createdAt,
      order: orderOf(state),
      state: JSON.stringify(state),
    };
  },
};

const shown = ['workspaceId', 'isShown'];

export const creatorRosterProjection = projection<CreatorEntry, CreatorEvent>({
  name: 'creator_roster',
  version: 4,
  runner: DASHBOARD_READ_MODELS,
  indexes: [
    { name: 'all', fields: [...shown, 'order'] },
    { name: 'enrollment', fields: [...shown, 'enrollment', 'order'] },
    { name: 'protection', fields: [...shown, 'protection', 'order'] },
    { name: 'both', fields: [...shown, 'enrollment', 'protection', 'order'] },
  ],
  erasedBy: 'creator.personalKeyDestroyed.v1',
  on: {
    'creator.enrolledByLink.v1': changesEntry,
    'creator.enrolledByInvitation.v1': changesEntry,
    'creator.imported.v1': changesEntry,
    'creator.importLinked.v1': changesEntry,
    'creator.identityWritten.v1': changesEntry,
    'creator.identityWriteUnknown.v1': changesEntry,
    'creator.invitationSent.v1': changesEntry,
    'creator.invitationRefused.v1': changesEntry,
    'creator.invitationUnknown.v1': changesEntry,
    'creator.invitationResent.v1': changesEntry,
    'creator.invitationAccepted.v1': changesEntry,
    'creator.invitationExpired.v1': changesEntry,
    'creator.invitationWithdrawn.v1': changesEntry,
    'creator.onboarded.v1': changesEntry,
    'creator.identityObserved.v2': changesEntry,
    'creator.standingObserved.v1': changesEntry,
    'creator.protectionActivated.v1': changesEntry,
    'creator.protectionPaused.v1': changesEntry,
    'creator.memberNotFound.v1': changesEntry,
    'creator.memberFound.v1': changesEntry,
    'creator.membershipEnded.v1': changesEntry,
    'creator.returned.v1': changesEntry,
    'creator.personalDataErased.v1': changesEntry,
  },
});
