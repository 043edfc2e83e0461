import { Module } from '@nestjs/common';
import { AgenciesModule } from '#agencies/module';
import { repositoryProvider } from '#kernel';
import { readModelProvider } from '#projections';
import {
  CreatorRepository,
  InvitationResendRepository,
  RosterRepository,
} from './application/access/creator.repository.js';
import { CreatorAccess } from './application/access/creator-access.js';
import { CreatorPorts } from './application/access/creator-ports.js';
import { CreatorVisibilities } from './application/access/creator-visibilities.js';
import { Memberships } from './application/access/memberships.js';
import { AdvanceEnrollmentHandler } from './application/enrollment/advance-enrollment.js';
import { InvitationMails } from './application/enrollment/invitation-mails.js';
import { InviteCreatorHandler } from './application/enrollment/invite-creator.js';
import { LinkCreatorHandler } from './application/enrollment/link-creator.js';
import { ResendInvitationHandler } from './application/enrollment/resend-invitation.js';
import { RosterAdmissions } from './application/enrollment/roster-admissions.js';
import { UpdateCreatorHandler } from './application/identity/update-creator.js';
import { CreatorErasure } from './application/membership/creator-erasure.js';
import { FindCreatorHandler } from './application/membership/find-creator.js';
import { LeftOutRecords, ListLeftOutHandler } from './application/membership/left-out-records.js';
import { ListCreatorsHandler } from './application/membership/list-creators.js';
import { NativeRecordSync } from './application/membership/native-record-sync.js';
import {
  ObserveCreatorHandler,
  ObserveRosterHandler,
  RecordAuthorizationLapseHandler,
} from './application/membership/observe-creator.js';
import { RemoveCreatorHandler } from './application/membership/remove-creator.js';
import { RosterReading } from './application/membership/roster-reading.js';
import { SynchronizeRosterHandler } from './application/membership/synchronize-roster.js';
import {
  ActivateProtectionHandler,
  PauseProtectionHandler,
  SettleSlotHandler,
} from './application/protection/change-protection.js';
import { GetCapacityHandler } from './application/protection/get-capacity.js';
import { ReleaseUnknownSlotsHandler, SlotComparison } from './application/protection/slot-comparison.js';
import { creatorsContext } from './creators.context.js';
import { CreatorWords, creatorWordsProjection } from './read-models/creator-words.js';
import { CreatorsOfProfiles, creatorsOfProfilesProjection } from './read-models/creators-of-profiles.js';
import { CreatorsOfUsers, creatorsOfUsersProjection } from './read-models/creators-of-users.js';

@Module({
  imports: [AgenciesModule],
  providers: [
    repositoryProvider(CreatorRepository),
    repositoryProvider(RosterRepository),
    CreatorErasure,
    Memberships,
    repositoryProvider(InvitationResendRepository),
    InvitationMails,
    readModelProvider(CreatorsOfUsers, creatorsOfUsersProjection),
    readModelProvider(CreatorWords, creatorWordsProjection),
    readModelProvider(CreatorsOfProfiles, creatorsOfProfilesProjection),
    ListCreatorsHandler,
    FindCreatorHandler,
    SlotComparison,
    CreatorPorts,
    CreatorAccess,
    CreatorVisibilities,
    RosterAdmissions,
    RosterReading,
    LeftOutRecords,
    ListLeftOutHandler,
    NativeRecordSync,
    LinkCreatorHandler,
    InviteCreatorHandler,
    ActivateProtectionHandler,
    PauseProtectionHandler,
    UpdateCreatorHandler,
    RemoveCreatorHandler,
    ResendInvitationHandler,
    AdvanceEnrollmentHandler,
    SettleSlotHandler,
    ReleaseUnknownSlotsHandler,
    RecordAuthorizationLapseHandler,
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
    NativeRecordSync,
  ],
})
export class CreatorsModule {}
