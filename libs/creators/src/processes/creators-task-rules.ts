import type { AgencyEvent } from '#agencies';
import { afterGrace, immediately, noLonger, soon, type TaskRules } from '#jobs';
import { SECOND } from '#kernel';
import type { CreatorEvent } from '../domain/creator.events.js';
import { authorizationEnd } from '../domain/creator.state.js';
import type { InvitationResendEvent } from '../domain/enrollment/invitation-resend.events.js';
import type { RosterEvent } from '../domain/enrollment/roster.events.js';
import { ACTIVATION_TIMEOUT } from '../domain/protection/protection.js';

const INVITATION_POLL = 30 * SECOND;

const ofCreator = { subject: ({ data }: { data: { creatorId: string } }) => data.creatorId };

export const creatorsTaskRules: TaskRules<RosterEvent | CreatorEvent | InvitationResendEvent, AgencyEvent> = {
  // The workspace is in the event's data: the operator who binds an agency has none.
  'agency.bound.v1': [{ kind: 'rosterSync', workspace: ({ data }) => data.workspaceId, due: immediately }],
  'roster.creatorAdmitted.v1': [{ kind: 'enrollment', ...ofCreator, due: afterGrace }],
  'roster.externalIdReplaced.v1': [{ kind: 'enrollment', ...ofCreator, due: afterGrace }],
  'roster.enrollmentRetried.v1': [{ kind: 'enrollment', ...ofCreator, due: afterGrace }],
  'roster.nativeUserLinked.v1': [],
  'roster.inviteeDetached.v1': [],
  'roster.creatorReleased.v1': [],
  'roster.seatReservedAgain.v1': [],
  'roster.creatorErased.v1': [],
  'creator.imported.v1': [{ kind: 'enrollment', due: noLonger }],
  'creator.enrolledByLink.v1': [{ kind: 'enrollment', due: afterGrace }],
  'creator.enrolledByInvitation.v1': [{ kind: 'enrollment', due: afterGrace }],
  'creator.importLinked.v1': [{ kind: 'enrollment', due: afterGrace }],
  'creator.identityWritten.v1': [{ kind: 'enrollment', due: noLonger }],
  'creator.identityWriteUnknown.v1': [{ kind: 'enrollment', due: soon }],
  'creator.invitationSent.v1': [{ kind: 'enrollment', due: (at) => at + INVITATION_POLL }],
  'creator.invitationResent.v1': [{ kind: 'enrollment', due: (at) => at + INVITATION_POLL }],
  'creator.resendReserved.v1': [],
  'creator.resendReleased.v1': [],
  'creator.invitationUnknown.v1': [{ kind: 'enrollment', due: soon }],
  'creator.invitationRefused.v1': [{ kind: 'enrollment', due: noLonger }],
  'creator.invitationAccepted.v1': [{ kind: 'enrollment', due: (at) => at + INVITATION_POLL }],
  'creator.invitationExpired.v1': [{ kind: 'enrollment', due: noLonger }],
  'creator.invitationWithdrawn.v1': [{ kind: 'enrollment', due: noLonger }],
  'creator.invitationNotFound.v1': [],
  'creator.invitationFound.v1': [],
  'creator.onboarded.v1': [{ kind: 'enrollment', due: immediately }],
  'creator.identityObserved.v2': [],
  'creator.standingObserved.v1': [
    { kind: 'authorizationEnd', due: (_, { data }) => authorizationEnd(data.authorization) ?? undefined },
  ],
  'creator.authorizationLapsed.v1': [{ kind: 'authorizationEnd', due: noLonger }],
  'creator.rebound.v1': [],
  'creator.activationRequested.v1': [{ kind: 'slot', due: (at) => at + ACTIVATION_TIMEOUT }],
  'creator.activationAbandoned.v1': [{ kind: 'slot', due: soon }],
  'creator.protectionActivated.v1': [{ kind: 'slot', due: noLonger }],
  'creator.protectionPaused.v1': [{ kind: 'slot', due: soon }],
  'creator.slotReleased.v1': [{ kind: 'slot', due: noLonger }],
  'creator.slotReoccupationRequested.v1': [{ kind: 'slot', due: afterGrace }],
  'creator.slotReoccupied.v1': [{ kind: 'slot', due: noLonger }],
  'creator.slotFenceRaised.v1': [],
  'creator.memberNotFound.v1': [],
  'creator.memberFound.v1': [],
  // Nothing is read or written for a creator that has left; open work continues when it returns.
  'creator.membershipEnded.v1': [{ kind: 'enrollment', due: noLonger }],
  'creator.returned.v1': [{ kind: 'enrollment', due: soon }],
  'creator.personalDataErased.v1': [
    { kind: 'enrollment', due: noLonger },
    { kind: 'authorizationEnd', due: noLonger },
  ],
  'creator.personalKeyDestroyed.v1': [],
  'invitationResend.requested.v1': [],
  'invitationResend.outcomeLost.v1': [],
  'invitationResend.refused.v1': [],
  'invitationResend.sent.v1': [],
};
