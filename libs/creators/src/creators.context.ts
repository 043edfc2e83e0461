import type { AgencyEvent } from '#agencies';
import {
  afterGrace,
  commandOf,
  immediately,
  noLonger,
  roundContext,
  soon,
  type TaskAbout,
  type TaskRules,
  taskContext,
} from '#jobs';
import { type ContextDefinition, type CreatorId, DAY, MINUTE, NO_TIME_LIMIT, SECOND } from '#kernel';
import { CreatorsOptions } from './application/access/creator-ports.js';
import { MEMBERSHIP_CONFIRMATIONS } from './application/access/memberships.js';
import { AdvanceEnrollment } from './application/enrollment/advance-enrollment.js';
import { INVITATION_MAILS } from './application/enrollment/invitation-mails.js';
import { LEFT_OUT_RECORDS } from './application/membership/left-out-records.js';
import { RecordAuthorizationLapse } from './application/membership/observe-creator.js';
import { SynchronizeRoster } from './application/membership/synchronize-roster.js';
import { SettleSlot } from './application/protection/change-protection.js';
import { type CreatorEvent, creatorUpcasters } from './domain/creator.events.js';
import { creatorDecider } from './domain/creator.js';
import { authorizationEnd } from './domain/creator.state.js';
import {
  type InvitationResendEvent,
  invitationResendDecider,
  invitationResendUpcasters,
} from './domain/enrollment/invitation-resend.js';
import { type RosterEvent, rosterDecider, rosterUpcasters } from './domain/enrollment/roster.js';
import { ACTIVATION_TIMEOUT } from './domain/protection/protection.js';
import { ENROLLMENT_COUNT, EnrollmentCount } from './processes/enrollment-count.js';
import { creatorAnnouncements } from './published/announcements.js';
import { creatorRosterProjection } from './read-models/creator-roster.js';
import { creatorWordsProjection } from './read-models/creator-words.js';
import { creatorsOfProfilesProjection } from './read-models/creators-of-profiles.js';
import { creatorsOfUsersProjection } from './read-models/creators-of-users.js';

const INVITATION_POLL = 30 * SECOND;

const ofCreator = { subject: ({ data }: { data: { creatorId: string } }) => data.creatorId };

const creatorsTaskRules: TaskRules<RosterEvent | CreatorEvent | InvitationResendEvent, AgencyEvent> = {
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

export const creatorsContext = {
  name: 'creators',
  deciders: [rosterDecider, creatorDecider, invitationResendDecider],
  upcasters: [...rosterUpcasters, ...creatorUpcasters, ...invitationResendUpcasters],
  projections: [
    creatorsOfUsersProjection,
    creatorRosterProjection,
    creatorsOfProfilesProjection,
    creatorWordsProjection,
  ],
  collections: [INVITATION_MAILS, MEMBERSHIP_CONFIRMATIONS, LEFT_OUT_RECORDS],
  taskRules: creatorsTaskRules,
  taskJobs: {
    /** The platform decides when an authorization ends (D40). */
    authorizationEnd: {
      concurrency: 8,
      longestWait: NO_TIME_LIMIT,
      command: commandOf(RecordAuthorizationLapse, roundContext),
    },
    /** Checks for a seat daily while its user stays away. */
    enrollment: {
      concurrency: 8,
      longestWait: DAY,
      command: (item: TaskAbout<CreatorId>) =>
        new AdvanceEnrollment(item.subject, item.workspaceId, item.dueAt, taskContext(item), item.isSetAside),
      endsDeadLetters: true,
    },
    rosterSync: {
      concurrency: 4,
      longestWait: (optionsOf) => optionsOf(CreatorsOptions).syncEvery,
      isSpread: true,
      command: commandOf(SynchronizeRoster, roundContext),
    },
    slot: { concurrency: 4, longestWait: MINUTE, command: commandOf(SettleSlot) },
  },
  reactions: { [ENROLLMENT_COUNT]: EnrollmentCount },
  consumers: {},
  announcements: [creatorAnnouncements],
} satisfies ContextDefinition;
