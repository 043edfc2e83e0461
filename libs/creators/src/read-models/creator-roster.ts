import {
  type CreatorId,
  type Document,
  type Instant,
  projection,
  type RecordedEvent,
  streamId,
  type WorkspaceId,
} from '#kernel';
import { DASHBOARD_READ_MODELS } from '#projections';
import type { CreatorEvent } from '../domain/creator.events.js';
import { creatorDecider } from '../domain/creator.js';
import { type CreatorState, type EnrolledCreator, isAccessible } from '../domain/creator.state.js';
import { NO_IDENTITY } from '../domain/identity/identity.js';

/** A creator or invitee as the dashboard lists and filters it. The page reads the names from the stream. */
export interface CreatorEntry extends Document {
  readonly id: CreatorId;
  readonly workspaceId: WorkspaceId;
  /** Whether the agency can see the creator. */
  readonly isShown: 0 | 1;
  readonly enrollment: EnrolledCreator['enrollment']['status'];
  readonly protection: EnrolledCreator['protection']['status'];
  readonly createdAt: Instant;
  /** The stream folded without the texts, as JSON: what the next event changes follows from it. */
  readonly state: string;
}

const NO_TEXTS = { externalId: '', identity: NO_IDENTITY };

const withoutTexts = (event: RecordedEvent<CreatorEvent>): CreatorEvent => {
  switch (event.type) {
    case 'creator.enrolledByLink.v1':
      return { ...event, data: { ...event.data, personal: NO_TEXTS } };
    case 'creator.importLinked.v1':
      return { ...event, data: { ...event.data, personal: NO_TEXTS } };
    case 'creator.imported.v1':
      return { ...event, data: { ...event.data, personal: NO_TEXTS } };
    case 'creator.enrolledByInvitation.v1':
      return { ...event, data: { ...event.data, personal: { ...NO_TEXTS, invitee: NO_INVITEE } } };
    default:
      return event;
  }
};

const NO_INVITEE = { email: '', firstName: '', lastName: '', locale: 'en' } as const;

const changesEntry = {
  documents: ({ stream }: RecordedEvent) => streamId(stream),
  fold: (entry: CreatorEntry | undefined, event: RecordedEvent<CreatorEvent>): CreatorEntry | undefined => {
    const before: CreatorState = entry === undefined ? creatorDecider.initial : JSON.parse(entry.state);
    const state = creatorDecider.evolve(before, withoutTexts(event), event.metadata.at);
    if (state.status === 'unknown') return undefined;
    const { creatorId, workspaceId, createdAt, enrollment, protection } = state;
    return {
      id: creatorId,
      workspaceId,
      isShown: isAccessible(state) ? 1 : 0,
      enrollment: enrollment.status,
      protection: protection.status,
      createdAt,
      state: JSON.stringify(state),
    };
  },
};

const shown = ['workspaceId', 'isShown'];

export const creatorRosterProjection = projection<CreatorEntry, CreatorEvent>({
  name: 'creator_roster',
  version: 1,
  runner: DASHBOARD_READ_MODELS,
  indexes: [
    { name: 'all', fields: shown },
    { name: 'enrollment', fields: [...shown, 'enrollment'] },
    { name: 'protection', fields: [...shown, 'protection'] },
    { name: 'both', fields: [...shown, 'enrollment', 'protection'] },
  ],
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
    'creator.protectionActivated.v1': changesEntry,
    'creator.protectionPaused.v1': changesEntry,
    'creator.memberNotFound.v1': changesEntry,
    'creator.memberFound.v1': changesEntry,
    'creator.membershipEnded.v1': changesEntry,
    'creator.returned.v1': changesEntry,
    'creator.personalDataErased.v1': changesEntry,
  },
});
