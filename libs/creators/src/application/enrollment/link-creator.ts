import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type CommandContext, DomainError } from '#kernel';
import { isErased } from '../../domain/creator.state.js';
import { enrollByLink, rebind } from '../../domain/enrollment/enrollment.js';
import { type EnrollResult, type LinkEnrollment, requireValid } from '../../domain/enrollment/roster-admission.js';
import { digestOf } from '../../domain/enrollment/roster-entry.js';
import { refuseErased } from '../../domain/enrollment/roster-erasure.js';
import { keptIdentity, requireFit } from '../../domain/identity/identity.js';
import { ErasureHashes } from '../../domain/membership/erasure.js';
import { CreatorAccess, reoccupied, withCreatorLease } from '../access/creator-access.js';
import { type AgencyScope, CreatorPorts, enrolled } from '../access/creator-ports.js';
import { recognizeInvitee } from '../access/invitees.js';
import { writeSubmittedIdentity } from '../identity/submitted-identity.js';
import { RosterAdmissions } from './roster-admissions.js';

/** Enrolls a native user: reserves in the roster, records the intent, writes the identity, records the outcome (D26, D28). */
export class LinkCreator extends Command<EnrollResult> {
  constructor(
    readonly scope: AgencyScope,
    readonly request: LinkEnrollment,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(LinkCreator)
export class LinkCreatorHandler implements ICommandHandler<LinkCreator> {
  constructor(
    private readonly ports: CreatorPorts,
    private readonly creators: CreatorAccess,
    private readonly admissions: RosterAdmissions,
    private readonly hashes: ErasureHashes,
  ) {}

  async execute({ scope, request, context }: LinkCreator): Promise<EnrollResult> {
    const { repository, rosters, platform, leases } = this.ports;
    const { userId, externalId, identity } = request;
    const loaded = await rosters.load(scope.workspaceId);
    requireValid(loaded.state, request);
    // Loaded before the platform is asked: events that are recorded after that may be newer than its answer.
    const usersCreator = loaded.state.byUser.get(userId);
    const known = usersCreator ?? loaded.state.byExternalId.get(digestOf(externalId));
    const earlier = known === undefined ? undefined : await repository.load(known);
    const native = await platform.getCreator(scope.agencyId, userId);
    if (native === undefined || native.isStaff) throw new DomainError('not_found');
    refuseErased(loaded.state, { userId, hashes: this.hashes.of(scope.workspaceId, request) });
    // D83: a user whose data was erased cannot be enrolled, not even under a new external id; nothing is recorded.
    if (usersCreator !== undefined && earlier !== undefined && isErased(earlier.state))
      throw new DomainError('not_found');
    const roster = await recognizeInvitee(this.ports, native, loaded, context);
    const seat = { ...request, via: 'link', invitee: null } as const;
    const { creatorId, begun, isNew } = await this.admissions.admit(scope, roster, seat, context, async (reserve) => {
      requireFit(keptIdentity(native.identity), identity);
      // An invited user without an API record belongs to the dashboard until it is onboarded.
      if (!native.onboardingComplete) throw new DomainError('creator_invitation_pending');
      return reserve();
    });
    const askedAt = creatorId === earlier?.id ? earlier.position : 0;
    return withCreatorLease(leases, creatorId, async () => {
      const link = { creatorId, ...scope, userId, externalId, identity };
      // Without `begun` the stream is read under the lease, because the last holder may have written the identity.
      const linked = await repository.update(begun ?? creatorId, context, (current, _now, position) => [
        ...rebind(current, scope.epoch),
        ...enrollByLink(current, link, native, position > askedAt),
      ]);
      const shown = await reoccupied(this.ports, linked, context);
      const written = await writeSubmittedIdentity(this.ports, this.creators, shown, context);
      // D77: a synchronization may have missed it during the write, so it has lost its slot.
      return {
        creator: (await this.creators.refreshIfMissing(enrolled(written), context)).state,
        isNew,
        emailSent: false,
      };
    });
  }
}
