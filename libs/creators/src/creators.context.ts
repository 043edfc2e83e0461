import { roundContext, taskContext, taskJob } from '#jobs';
import { type AgencyId, type ContextDefinition, type CreatorId, DAY, MINUTE, NO_TIME_LIMIT } from '#kernel';
import { MEMBERSHIP_CONFIRMATIONS } from './application/access/memberships.js';
import { AdvanceEnrollment } from './application/enrollment/advance-enrollment.js';
import { EndDeadLetterEnrollment } from './application/enrollment/end-dead-letter-enrollment.js';
import { INVITATION_MAILS } from './application/enrollment/invitation-mails.js';
import { LEFT_OUT_RECORDS } from './application/membership/left-out-records.js';
import { RecordAuthorizationLapse } from './application/membership/record-authorization-lapse.js';
import { SynchronizeRoster } from './application/membership/synchronize-roster.js';
import { SettleSlot } from './application/protection/settle-slot.js';
import { CreatorsOptions } from './creators.options.js';
import { creatorUpcasters } from './domain/creator.events.js';
import { creatorDecider } from './domain/creator.js';
import { invitationResendUpcasters } from './domain/enrollment/invitation-resend.events.js';
import { invitationResendDecider } from './domain/enrollment/invitation-resend.js';
import { rosterUpcasters } from './domain/enrollment/roster.events.js';
import { rosterDecider } from './domain/enrollment/roster.js';
import { creatorsTaskRules } from './processes/creators-task-rules.js';
import { ENROLLMENT_COUNT, EnrollmentCount } from './processes/enrollment-count.js';
import { creatorAnnouncements } from './published/announcements.js';
import { creatorRosterProjection } from './read-models/creator-roster.js';
import { creatorsOfProfilesProjection } from './read-models/creators-of-profiles.js';
import { creatorsOfUsersProjection } from './read-models/creators-of-users.js';

export const creatorsContext = {
  name: 'creators',
  deciders: [rosterDecider, creatorDecider, invitationResendDecider],
  upcasters: [...rosterUpcasters, ...creatorUpcasters, ...invitationResendUpcasters],
  projections: [creatorsOfUsersProjection, creatorRosterProjection, creatorsOfProfilesProjection],
  collections: [INVITATION_MAILS, MEMBERSHIP_CONFIRMATIONS, LEFT_OUT_RECORDS],
  taskRules: creatorsTaskRules,
  taskJobs: {
    /** The platform sets the end of a mandate (D40). */
    authorizationEnd: taskJob<CreatorId>(
      { concurrency: 8, longestWait: NO_TIME_LIMIT },
      (item) => new RecordAuthorizationLapse(item.subject, roundContext(item)),
    ),
    /** After a crash, unknown outcomes, invitations, identities to write. A seat is asked about daily if its user stays away. */
    enrollment: taskJob<CreatorId>(
      { concurrency: 8, longestWait: DAY },
      (item) => new AdvanceEnrollment(item.subject, item.workspaceId, item.dueAt, taskContext(item)),
      (item) => new EndDeadLetterEnrollment(item.subject, item.workspaceId, taskContext(item)),
    ),
    rosterSync: taskJob<AgencyId>(
      { concurrency: 4, longestWait: (optionsOf) => optionsOf(CreatorsOptions).syncEvery, isSpread: true },
      (item) => new SynchronizeRoster(item.subject, roundContext(item)),
    ),
    slot: taskJob<CreatorId>(
      { concurrency: 4, longestWait: MINUTE },
      (item) => new SettleSlot(item.subject, taskContext(item)),
    ),
  },
  reactions: { [ENROLLMENT_COUNT]: EnrollmentCount },
  consumers: {},
  announcements: [creatorAnnouncements],
} satisfies ContextDefinition;
