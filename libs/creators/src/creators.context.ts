import type { ContextDefinition } from '#kernel';
import { MEMBERSHIP_CONFIRMATIONS } from './application/access/memberships.js';
import { INVITATION_MAILS } from './application/enrollment/invitation-mails.js';
import { creatorUpcasters } from './domain/creator.events.js';
import { creatorDecider } from './domain/creator.js';
import { invitationResendUpcasters } from './domain/enrollment/invitation-resend.events.js';
import { invitationResendDecider } from './domain/enrollment/invitation-resend.js';
import { rosterUpcasters } from './domain/enrollment/roster.events.js';
import { rosterDecider } from './domain/enrollment/roster.js';
import { AuthorizationLapses } from './processes/authorization-lapses.js';
import { creatorsDueWork } from './processes/creators-due-work.js';
import { ENROLLMENT_COUNT, EnrollmentCount } from './processes/enrollment-count.js';
import { EnrollmentFollowUp } from './processes/enrollment-follow-up.js';
import { RosterSync } from './processes/roster-sync.js';
import { SlotSettling } from './processes/slot-settling.js';
import { creatorAnnouncements } from './published/announcements.js';
import { creatorsOfUsersProjection } from './read-models/creators-of-users.js';

export const creatorsContext = {
  name: 'creators',
  deciders: [rosterDecider, creatorDecider, invitationResendDecider],
  upcasters: [...rosterUpcasters, ...creatorUpcasters, ...invitationResendUpcasters],
  projections: [creatorsOfUsersProjection],
  collections: [INVITATION_MAILS, MEMBERSHIP_CONFIRMATIONS],
  dueWork: creatorsDueWork,
  dueJobs: {
    authorizationEnd: AuthorizationLapses,
    enrollment: EnrollmentFollowUp,
    rosterSync: RosterSync,
    slot: SlotSettling,
  },
  reactions: { [ENROLLMENT_COUNT]: EnrollmentCount },
  consumers: {},
  announcements: [creatorAnnouncements],
} satisfies ContextDefinition;
