import type { AgencyAccess } from '#agencies';
import type { BulkPace, Leases } from '#jobs';
import {
  type Clock,
  type CommandContext,
  type CommandRunner,
  type CreatorId,
  type DocumentStore,
  type Duration,
  type EventLog,
  MINUTE,
} from '#kernel';
import { ReadModel } from '#projections';
import { CreatorRepository } from './application/access/creator.repository.js';
import { type AgencyScope, CreatorAccess } from './application/access/creator-access.js';
import type { CreatorPlatform } from './application/access/creator-platform.js';
import { CreatorSightings } from './application/access/creator-sightings.js';
import { Invitees } from './application/access/invitees.js';
import type { Memberships } from './application/access/memberships.js';
import { RosterRepository } from './application/access/roster.repository.js';
import { SlotCalls } from './application/access/slot-calls.js';
import { AdvanceEnrollmentHandler } from './application/enrollment/advance-enrollment.js';
import { EnrollmentSettlement } from './application/enrollment/enrollment-settlement.js';
import { InvitationMails } from './application/enrollment/invitation-mails.js';
import { InvitationResendRepository } from './application/enrollment/invitation-resend.repository.js';
import { InviteCreator, InviteCreatorHandler } from './application/enrollment/invite-creator.js';
import { LinkCreator, LinkCreatorHandler } from './application/enrollment/link-creator.js';
import { ResendInvitation, ResendInvitationHandler } from './application/enrollment/resend-invitation.js';
import { RosterAdmissions } from './application/enrollment/roster-admissions.js';
import { SubmittedIdentityWriter } from './application/enrollment/submitted-identity-writer.js';
import { UnbegunEnrollments } from './application/enrollment/unbegun-enrollments.js';
import { UpdateCreator, UpdateCreatorHandler } from './application/identity/update-creator.js';
import { CreatorErasure } from './application/membership/creator-erasure.js';
import { KnownMembers } from './application/membership/known-members.js';
import { MemberRecordWalks } from './application/membership/member-record-walks.js';
import { ObserveCreator, ObserveCreatorHandler } from './application/membership/observe-creator.js';
import { ObserveRoster, ObserveRosterHandler } from './application/membership/observe-roster.js';
import { RemoveCreator, RemoveCreatorHandler } from './application/membership/remove-creator.js';
import { accessibleCreators, type PageRequest, RosterReading } from './application/membership/roster-reading.js';
import { ActivateProtection, ActivateProtectionHandler } from './application/protection/activate-protection.js';
import { PauseProtection, PauseProtectionHandler } from './application/protection/pause-protection.js';
import { SettleSlot, SettleSlotHandler } from './application/protection/settle-slot.js';
import type { CreatorsOptions } from './creators.options.js';
import type { Invite, LinkEnrollment } from './domain/enrollment/enrollment-requests.js';
import type { IdentityChange } from './domain/identity/identity.js';
import { ErasureHashes } from './domain/membership/erasure-hashes.js';
import { CreatorsOfUsers, creatorsOfUsersProjection } from './read-models/creators-of-users.js';

/** The services of this context, made as its module makes them. */
export const creatorServices = ({
  log,
  runner,
  platform,
  memberships,
  access,
  leases,
  clock,
  pace,
  documents,
}: {
  readonly log: EventLog;
  readonly runner: CommandRunner;
  readonly platform: CreatorPlatform;
  readonly memberships: Memberships;
  readonly access: AgencyAccess;
  readonly leases: Leases;
  readonly clock: Clock;
  readonly pace: BulkPace;
  readonly documents: DocumentStore;
}) => {
  const creatorRepository = new CreatorRepository(runner);
  const rosters = new RosterRepository(runner);
  const resendRepository = new InvitationResendRepository(runner);
  const sightings = new CreatorSightings(creatorRepository);
  const invitees = new Invitees(creatorRepository, rosters, sightings, platform);
  const slots = new SlotCalls(creatorRepository, platform);
  const creators = new CreatorAccess(
    creatorRepository,
    sightings,
    invitees,
    platform,
    slots,
    memberships,
    leases,
    clock,
  );
  const hashes = new ErasureHashes(Buffer.alloc(32));
  const { name } = creatorsOfUsersProjection;
  const live = { of: async () => name };
  const users = new CreatorsOfUsers(new ReadModel(creatorsOfUsersProjection, documents, live));
  const known = new KnownMembers(users, creatorRepository);
  const mails = new InvitationMails(documents, hashes, clock);
  const admissions = new RosterAdmissions(creatorRepository, rosters, invitees, platform, hashes, mails, clock);
  const identities = new SubmittedIdentityWriter(creatorRepository, creators, platform);
  const settlement = new EnrollmentSettlement(creatorRepository, identities, platform, leases);
  const unbegun = new UnbegunEnrollments(log, creatorRepository, rosters, platform, leases);
  const link = new LinkCreatorHandler(
    creatorRepository,
    rosters,
    admissions,
    creators,
    slots,
    identities,
    platform,
    leases,
  );
  const invite = new InviteCreatorHandler(creatorRepository, rosters, admissions, creators, platform, leases);
  const settleSlotHandler = new SettleSlotHandler(creatorRepository, slots, access, clock);
  const activate = new ActivateProtectionHandler(creators, slots);
  const pause = new PauseProtectionHandler(creatorRepository, creators, slots);
  const update = new UpdateCreatorHandler(creatorRepository, creators, settlement, platform);
  const remove = new RemoveCreatorHandler(creatorRepository, creators, platform);
  const resend = new ResendInvitationHandler(creatorRepository, resendRepository, creators, platform, mails);
  const observe = new ObserveCreatorHandler(creators);
  const rosterReadings = (pacing: BulkPace, budget: Duration) => {
    const roster = new RosterReading(
      runner,
      creatorRepository,
      rosters,
      known,
      invitees,
      platform,
      memberships,
      pacing,
    );
    const handler = new ObserveRosterHandler(roster, slots, { providerTimeout: budget, syncEvery: MINUTE });
    return {
      rosterReading: roster,
      observeRoster: (scope: AgencyScope, page: PageRequest, context: CommandContext) =>
        handler.execute(new ObserveRoster(scope, page, context)),
      /** As the worker reads it. */
      walkRoster: async (scope: AgencyScope, page: PageRequest, context: CommandContext) => {
        const { creators: recorded } = await roster.read(scope, page, context, { rebinding: false });
        return { creators: accessibleCreators(recorded) };
      },
    };
  };
  return {
    creatorRepository,
    rosters,
    slots,
    mails,
    sightings,
    creators,
    memberRecordWalks: new MemberRecordWalks(creatorRepository, memberships, pace, clock),
    settlement,
    erasure: new CreatorErasure(creatorRepository, rosters, hashes, leases, log),
    linkCreator: (scope: AgencyScope, request: LinkEnrollment, context: CommandContext) =>
      link.execute(new LinkCreator(scope, request, context)),
    inviteCreator: (scope: AgencyScope, request: Invite, context: CommandContext) =>
      invite.execute(new InviteCreator(scope, request, context)),
    rosterReadings,
    ...rosterReadings(pace, MINUTE),
    observeCreator: (creatorId: CreatorId, scope: AgencyScope, context: CommandContext) =>
      observe.execute(new ObserveCreator(creatorId, scope, context)),
    settleSlotHandler,
    settleSlot: (creatorId: CreatorId, context: CommandContext) =>
      settleSlotHandler.execute(new SettleSlot(creatorId, context)),
    advanceEnrollmentHandler: (access: AgencyAccess, options: CreatorsOptions) =>
      new AdvanceEnrollmentHandler(creators, unbegun, settlement, access, clock, options),
    activateProtection: (creatorId: CreatorId, scope: AgencyScope, context: CommandContext) =>
      activate.execute(new ActivateProtection(creatorId, scope, context)),
    pauseProtection: (creatorId: CreatorId, scope: AgencyScope, context: CommandContext) =>
      pause.execute(new PauseProtection(creatorId, scope, context)),
    updateCreator: (creatorId: CreatorId, scope: AgencyScope, change: IdentityChange, context: CommandContext) =>
      update.execute(new UpdateCreator(creatorId, scope, change, context)),
    removeCreator: (creatorId: CreatorId, scope: AgencyScope, context: CommandContext) =>
      remove.execute(new RemoveCreator(creatorId, scope, context)),
    resendInvitation: (creatorId: CreatorId, scope: AgencyScope, idempotencyKey: string, context: CommandContext) =>
      resend.execute(new ResendInvitation(creatorId, scope, idempotencyKey, context)),
  };
};
