import { Module } from '@nestjs/common';
import { AgenciesModule } from '#agencies/module';
import { readModelProvider } from '#projections';
import { CreatorRepository } from './application/access/creator.repository.js';
import { CreatorAccess } from './application/access/creator-access.js';
import { CreatorVisibilities } from './application/access/creator-visibilities.js';
import { Invitees } from './application/access/invitees.js';
import { Memberships } from './application/access/memberships.js';
import { ObservedCreators } from './application/access/observed-creators.js';
import { RosterRepository } from './application/access/roster.repository.js';
import { SlotCalls } from './application/access/slot-calls.js';
import { AdvanceEnrollmentHandler } from './application/enrollment/advance-enrollment.js';
import { CountEnrollmentHandler } from './application/enrollment/count-enrollment.js';
import { EndDeadLetterEnrollmentHandler } from './application/enrollment/end-dead-letter-enrollment.js';
import { InvitationMails } from './application/enrollment/invitation-mails.js';
import { InvitationOrders } from './application/enrollment/invitation-orders.js';
import { InvitationResendRepository } from './application/enrollment/invitation-resend.repository.js';
import { InviteCreatorHandler } from './application/enrollment/invite-creator.js';
import { LinkCreatorHandler } from './application/enrollment/link-creator.js';
import { ResendInvitationHandler } from './application/enrollment/resend-invitation.js';
import { RosterAdmissions } from './application/enrollment/roster-admissions.js';
import { SubmittedIdentityWriter } from './application/enrollment/submitted-identity-writer.js';
import { UnbegunEnrollments } from './application/enrollment/unbegun-enrollments.js';
import { UpdateCreatorHandler } from './application/identity/update-creator.js';
import { CreatorErasure } from './application/membership/creator-erasure.js';
import { FindCreatorHandler } from './application/membership/find-creator.js';
import { KnownMembers } from './application/membership/known-members.js';
import { LeftOutRecords } from './application/membership/left-out-records.js';
import { ListCreatorsHandler } from './application/membership/list-creators.js';
import { ListLeftOutHandler } from './application/membership/list-left-out.js';
import { MemberRecords } from './application/membership/member-records.js';
import { ObserveCreatorHandler } from './application/membership/observe-creator.js';
import { ObserveRosterHandler } from './application/membership/observe-roster.js';
import { RecordAuthorizationLapseHandler } from './application/membership/record-authorization-lapse.js';
import { RemoveCreatorHandler } from './application/membership/remove-creator.js';
import { RosterReading } from './application/membership/roster-reading.js';
import { SynchronizeRosterHandler } from './application/membership/synchronize-roster.js';
import { ActivateProtectionHandler } from './application/protection/activate-protection.js';
import { GetCapacityHandler } from './application/protection/get-capacity.js';
import { PauseProtectionHandler } from './application/protection/pause-protection.js';
import { ReleaseUnknownSlotsHandler } from './application/protection/release-unknown-slots.js';
import { SettleSlotHandler } from './application/protection/settle-slot.js';
import { SlotComparison } from './application/protection/slot-comparison.js';
import { creatorsContext } from './creators.context.js';
import { CreatorsOfProfiles, creatorsOfProfilesProjection } from './read-models/creators-of-profiles.js';
import { CreatorsOfUsers, creatorsOfUsersProjection } from './read-models/creators-of-users.js';

@Module({
  imports: [AgenciesModule],
  providers: [
    CreatorRepository,
    RosterRepository,
    CreatorErasure,
    Memberships,
    InvitationResendRepository,
    InvitationMails,
    readModelProvider(CreatorsOfUsers, creatorsOfUsersProjection),
    readModelProvider(CreatorsOfProfiles, creatorsOfProfilesProjection),
    ListCreatorsHandler,
    FindCreatorHandler,
    Invitees,
    SlotCalls,
    SlotComparison,
    ObservedCreators,
    { provide: CreatorAccess, useExisting: ObservedCreators },
    CreatorVisibilities,
    RosterAdmissions,
    SubmittedIdentityWriter,
    InvitationOrders,
    UnbegunEnrollments,
    KnownMembers,
    RosterReading,
    LeftOutRecords,
    ListLeftOutHandler,
    MemberRecords,
    LinkCreatorHandler,
    InviteCreatorHandler,
    ActivateProtectionHandler,
    PauseProtectionHandler,
    UpdateCreatorHandler,
    RemoveCreatorHandler,
    ResendInvitationHandler,
    AdvanceEnrollmentHandler,
    EndDeadLetterEnrollmentHandler,
    SettleSlotHandler,
    ReleaseUnknownSlotsHandler,
    RecordAuthorizationLapseHandler,
    CountEnrollmentHandler,
    SynchronizeRosterHandler,
    ObserveCreatorHandler,
    ObserveRosterHandler,
    GetCapacityHandler,
    ...Object.values(creatorsContext.reactions),
  ],
  exports: [
    CreatorErasure,
    CreatorAccess,
    CreatorVisibilities,
    InvitationMails,
    LeftOutRecords,
    Memberships,
    MemberRecords,
  ],
})
export class CreatorsModule {}
