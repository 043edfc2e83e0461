import type { BulkPace, Leases } from '#jobs';
import { type Clock, type CommandContext, type CommandRunner, type CreatorId, type Duration, MINUTE } from '#kernel';
import { ActivateProtection, ActivateProtectionHandler } from './application/activate-protection.js';
import { CreatorRepository } from './application/creator.repository.js';
import { type AgencyScope, CreatorAccess } from './application/creator-access.js';
import { CreatorSightings } from './application/creator-sightings.js';
import { Enrollments } from './application/enrollments.js';
import { InvitationResendRepository } from './application/invitation-resend.repository.js';
import { Invitees } from './application/invitees.js';
import type { Memberships } from './application/memberships.js';
import { PauseProtection, PauseProtectionHandler } from './application/pause-protection.js';
import type { CreatorPlatform, IdentityChange } from './application/ports.js';
import { ProtectionSlots } from './application/protection-slots.js';
import { RemoveCreator, RemoveCreatorHandler } from './application/remove-creator.js';
import { ResendInvitation, ResendInvitationHandler } from './application/resend-invitation.js';
import { RosterRepository } from './application/roster.repository.js';
import { RosterReading } from './application/roster-reading.js';
import { UpdateCreator, UpdateCreatorHandler } from './application/update-creator.js';
import { ErasureHashes } from './domain/membership/erasure-hashes.js';

/** The services of this context, made as its module makes them. */
export const creatorServices = ({
  runner,
  platform,
  memberships,
  leases,
  clock,
  pace,
}: {
  readonly runner: CommandRunner;
  readonly platform: CreatorPlatform;
  readonly memberships: Memberships;
  readonly leases: Leases;
  readonly clock: Clock;
  readonly pace: BulkPace;
}) => {
  const creatorRepository = new CreatorRepository(runner);
  const rosters = new RosterRepository(runner);
  const resendRepository = new InvitationResendRepository(runner);
  const sightings = new CreatorSightings(creatorRepository);
  const invitees = new Invitees(creatorRepository, rosters, sightings, platform);
  const creators = new CreatorAccess(creatorRepository, sightings, invitees, platform, memberships, leases, clock);
  const hashes = new ErasureHashes(Buffer.alloc(32));
  const enrollments = new Enrollments(creatorRepository, rosters, creators, invitees, platform, leases, hashes);
  const slots = new ProtectionSlots(creatorRepository, creators, platform, leases, clock);
  const activate = new ActivateProtectionHandler(creatorRepository, creators, platform, leases);
  const pause = new PauseProtectionHandler(creatorRepository, creators, slots, leases);
  const update = new UpdateCreatorHandler(creators, sightings, enrollments, platform);
  const remove = new RemoveCreatorHandler(creatorRepository, creators, platform, leases);
  const resend = new ResendInvitationHandler(creatorRepository, resendRepository, creators, platform, leases);
  const readRoster = (pacing: BulkPace, budget: Duration) =>
    new RosterReading(runner, creatorRepository, rosters, creators, invitees, platform, memberships, pacing, budget);
  return {
    creatorRepository,
    sightings,
    creators,
    enrollments,
    readRoster,
    rosterReading: readRoster(pace, MINUTE),
    slots,
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
