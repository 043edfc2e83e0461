import { type CreatorId, type LoadedState, repositoryOf, type WorkspaceId } from '#kernel';
import type { CreatorEvent } from '../../domain/creator.events.js';
import { creatorDecider } from '../../domain/creator.js';
import type { CreatorState } from '../../domain/creator.state.js';
import {
  type InvitationResend,
  type InvitationResendEvent,
  invitationResendDecider,
} from '../../domain/enrollment/invitation-resend.js';
import { type Roster, type RosterEvent, rosterDecider } from '../../domain/enrollment/roster.js';

export type LoadedRoster = LoadedState<Roster, WorkspaceId>;
export type LoadedResend = LoadedState<InvitationResend>;

export class CreatorRepository extends repositoryOf<CreatorState, CreatorEvent, CreatorId>(creatorDecider) {}
export class RosterRepository extends repositoryOf<Roster, RosterEvent, WorkspaceId>(rosterDecider) {}
export class InvitationResendRepository extends repositoryOf<InvitationResend, InvitationResendEvent, string>(
  invitationResendDecider,
) {}
