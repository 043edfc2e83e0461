import { Module } from '@nestjs/common';
import { AgenciesModule } from '#agencies/module';
import { DueWork } from '#jobs';
import { Clock } from '#kernel';
import { ActivateProtectionHandler } from './application/activate-protection.js';
import { AdvanceEnrollmentHandler } from './application/advance-enrollment.js';
import { CountEnrollmentAgainHandler } from './application/count-enrollment-again.js';
import { CreatorRepository } from './application/creator.repository.js';
import { CreatorAccess } from './application/creator-access.js';
import { CreatorErasure } from './application/creator-erasure.js';
import { CreatorSightings } from './application/creator-sightings.js';
import { CreatorVisibilities } from './application/creator-visibilities.js';
import { EnrollmentSettlement } from './application/enrollment-settlement.js';
import { GetCapacityHandler } from './application/get-capacity.js';
import { InvitationResendRepository } from './application/invitation-resend.repository.js';
import { InviteCreatorHandler } from './application/invite-creator.js';
import { Invitees } from './application/invitees.js';
import { LinkCreatorHandler } from './application/link-creator.js';
import { MemberRecordWalks } from './application/member-record-walks.js';
import { MemberRecords } from './application/member-records.js';
import { Memberships } from './application/memberships.js';
import { ObserveCreatorHandler } from './application/observe-creator.js';
import { ObserveRosterHandler } from './application/observe-roster.js';
import { PauseProtectionHandler } from './application/pause-protection.js';
import { RecordAuthorizationLapseHandler } from './application/record-authorization-lapse.js';
import { ReleaseSeatHandler } from './application/release-seat.js';
import { RemoveCreatorHandler } from './application/remove-creator.js';
import { RequestSynchronizations } from './application/request-synchronizations.js';
import { ResendInvitationHandler } from './application/resend-invitation.js';
import { RosterRepository } from './application/roster.repository.js';
import { RosterAdmissions } from './application/roster-admissions.js';
import { RosterReading } from './application/roster-reading.js';
import { SettleSlotHandler } from './application/settle-slot.js';
import { SubmittedIdentityWriter } from './application/submitted-identity-writer.js';
import { SynchronizeRosterHandler } from './application/synchronize-roster.js';
import { UnbegunEnrollments } from './application/unbegun-enrollments.js';
import { UpdateCreatorHandler } from './application/update-creator.js';
import { creatorsContext } from './creators.context.js';
import { CreatorsOptions } from './creators.options.js';
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
    CreatorSightings,
    Invitees,
    CreatorAccess,
    CreatorVisibilities,
    RosterAdmissions,
    SubmittedIdentityWriter,
    EnrollmentSettlement,
    UnbegunEnrollments,
    RosterReading,
    {
      provide: RequestSynchronizations,
      useFactory: ({ providerTimeout }: CreatorsOptions, dueWork: DueWork, clock: Clock) =>
        new RequestSynchronizations(providerTimeout, (creatorId) =>
          dueWork.expedite('caseWalk', creatorId, clock.now()),
        ),
      inject: [CreatorsOptions, DueWork, Clock],
    },
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
    SettleSlotHandler,
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
  exports: [CreatorErasure, CreatorAccess, CreatorVisibilities, Memberships, MemberRecords, MemberRecordWalks],
})
export class CreatorsModule {}
