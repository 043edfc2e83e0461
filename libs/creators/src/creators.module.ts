import { Module } from '@nestjs/common';
import { AgenciesModule } from '#agencies/module';
import { readModelProvider } from '#projections';
import { CreatorRepository } from './application/creator.repository.js';
import { CreatorAccess } from './application/creator-access.js';
import { CreatorSightings } from './application/creator-sightings.js';
import { CreatorVisibilities } from './application/creator-visibilities.js';
import { AdvanceEnrollmentHandler } from './application/enrollment/advance-enrollment.js';
import { CountEnrollmentAgainHandler } from './application/enrollment/count-enrollment-again.js';
import { EndSetAsideEnrollmentHandler } from './application/enrollment/end-set-aside-enrollment.js';
import { EnrollmentSettlement } from './application/enrollment/enrollment-settlement.js';
import { InvitationMails } from './application/enrollment/invitation-mails.js';
import { InvitationResendRepository } from './application/enrollment/invitation-resend.repository.js';
import { InviteCreatorHandler } from './application/enrollment/invite-creator.js';
import { Invitees } from './application/enrollment/invitees.js';
import { LinkCreatorHandler } from './application/enrollment/link-creator.js';
import { ReleaseSeatHandler } from './application/enrollment/release-seat.js';
import { ResendInvitationHandler } from './application/enrollment/resend-invitation.js';
import { RosterRepository } from './application/enrollment/roster.repository.js';
import { RosterAdmissions } from './application/enrollment/roster-admissions.js';
import { UnbegunEnrollments } from './application/enrollment/unbegun-enrollments.js';
import { SubmittedIdentityWriter } from './application/identity/submitted-identity-writer.js';
import { UpdateCreatorHandler } from './application/identity/update-creator.js';
import { CreatorErasure } from './application/membership/creator-erasure.js';
import { KnownMembers } from './application/membership/known-members.js';
import { MemberRecordWalks } from './application/membership/member-record-walks.js';
import { MemberRecords } from './application/membership/member-records.js';
import { Memberships } from './application/membership/memberships.js';
import { ObserveRosterHandler } from './application/membership/observe-roster.js';
import { RecordAuthorizationLapseHandler } from './application/membership/record-authorization-lapse.js';
import { RemoveCreatorHandler } from './application/membership/remove-creator.js';
import { RequestSynchronizations } from './application/membership/request-synchronizations.js';
import { RosterReading } from './application/membership/roster-reading.js';
import { SynchronizeRosterHandler } from './application/membership/synchronize-roster.js';
import { ObserveCreatorHandler } from './application/observe-creator.js';
import { ActivateProtectionHandler } from './application/protection/activate-protection.js';
import { GetCapacityHandler } from './application/protection/get-capacity.js';
import { PauseProtectionHandler } from './application/protection/pause-protection.js';
import { ReleaseUnknownSlotsHandler } from './application/protection/release-unknown-slots.js';
import { SettleSlotHandler } from './application/protection/settle-slot.js';
import { SlotCalls } from './application/protection/slot-calls.js';
import { SlotComparison } from './application/protection/slot-comparison.js';
import { creatorsContext } from './creators.context.js';
import { CreatorsOfUsers, creatorsOfUsersProjection } from './read-models/creators-of-users.js';
import { StoredConfirmations } from './read-models/membership-confirmations.js';
import { SharedConfirmations } from './read-models/shared-confirmations.js';

@Module({
  imports: [AgenciesModule],
  providers: [
    CreatorRepository,
    RosterRepository,
    CreatorErasure,
    { provide: SharedConfirmations, useClass: StoredConfirmations },
    Memberships,
    InvitationResendRepository,
    InvitationMails,
    readModelProvider(CreatorsOfUsers, creatorsOfUsersProjection),
    CreatorSightings,
    Invitees,
    SlotCalls,
    SlotComparison,
    CreatorAccess,
    CreatorVisibilities,
    RosterAdmissions,
    SubmittedIdentityWriter,
    EnrollmentSettlement,
    UnbegunEnrollments,
    KnownMembers,
    RosterReading,
    RequestSynchronizations,
    MemberRecords,
    MemberRecordWalks,
    LinkCreatorHandler,
    InviteCreatorHandler,
    ActivateProtectionHandler,
    PauseProtectionHandler,
    UpdateCreatorHandler,
    RemoveCreatorHandler,
    ResendInvitationHandler,
    AdvanceEnrollmentHandler,
    EndSetAsideEnrollmentHandler,
    SettleSlotHandler,
    ReleaseUnknownSlotsHandler,
    RecordAuthorizationLapseHandler,
    ReleaseSeatHandler,
    CountEnrollmentAgainHandler,
    SynchronizeRosterHandler,
    ObserveCreatorHandler,
    ObserveRosterHandler,
    GetCapacityHandler,
    ...Object.values(creatorsContext.reactions),
    ...Object.values(creatorsContext.dueJobs),
  ],
  exports: [
    CreatorErasure,
    CreatorAccess,
    CreatorVisibilities,
    InvitationMails,
    Memberships,
    MemberRecords,
    MemberRecordWalks,
  ],
})
export class CreatorsModule {}
