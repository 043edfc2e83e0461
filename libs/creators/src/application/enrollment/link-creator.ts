import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Leases } from '#jobs';
import { type CommandContext, DomainError } from '#kernel';
import { enrollByLink, rebind } from '../../domain/enrollment/enrollment.js';
import type { EnrollResult, LinkEnrollment } from '../../domain/enrollment/enrollment-requests.js';
import { requireValid } from '../../domain/enrollment/roster-admission.js';
import { digestOf } from '../../domain/enrollment/roster-entry.js';
import { CreatorRepository } from '../access/creator.repository.js';
import type { AgencyScope } from '../access/creator-access.js';
import { withCreatorLease } from '../access/creator-lease.js';
import { CreatorPlatform } from '../access/creator-platform.js';
import { enrolled, type LoadedCreator } from '../access/loaded-creator.js';
import { ObservedCreators } from '../access/observed-creators.js';
import { type LoadedRoster, RosterRepository } from '../access/roster.repository.js';
import { SlotCalls } from '../access/slot-calls.js';
import { RosterAdmissions } from './roster-admissions.js';
import { SubmittedIdentityWriter } from './submitted-identity-writer.js';

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
    private readonly repository: CreatorRepository,
    private readonly rosters: RosterRepository,
    private readonly admissions: RosterAdmissions,
    private readonly creators: ObservedCreators,
    private readonly slots: SlotCalls,
    private readonly identities: SubmittedIdentityWriter,
    private readonly platform: CreatorPlatform,
    private readonly leases: Leases,
  ) {}

  async execute({ scope, request, context }: LinkCreator): Promise<EnrollResult> {
    const { userId, externalId, identity } = request;
    const roster = await this.rosters.load(scope.workspaceId);
    requireValid(roster.state, request);
    // Loaded before the platform is asked: what is recorded after that may be newer than its answer.
    const earlier = await this.enrolledEarlier(roster, request);
    const native = await this.platform.getCreator(scope.agencyId, userId);
    if (native === undefined || native.isStaff) throw new DomainError('not_found');
    const user = { request, native, earlier };
    const { creatorId, begun, isNew } = await this.admissions.admitUser(scope, roster, user, context);
    const askedAt = creatorId === earlier?.id ? earlier.position : 0;
    return withCreatorLease(this.leases, creatorId, async () => {
      const link = { creatorId, ...scope, userId, externalId, identity };
      // Without `begun` the stream is read under the lease, because the last holder may have written the identity.
      const linked = await this.repository.update(begun ?? creatorId, context, (current, _now, position) => [
        ...rebind(current, scope.epoch),
        ...enrollByLink(current, link, native, position > askedAt),
      ]);
      const written = await this.identities.write(await this.slots.reoccupied(linked, context), context);
      // D77: a synchronization may have missed it during the write, so that it has lost its slot.
      return { creator: (await this.creators.seenAgain(enrolled(written), context)).state, isNew, emailSent: false };
    });
  }

  private async enrolledEarlier(
    { state: roster }: LoadedRoster,
    { userId, externalId }: LinkEnrollment,
  ): Promise<LoadedCreator | undefined> {
    const creatorId = roster.byUser.get(userId) ?? roster.byExternalId.get(digestOf(externalId));
    return creatorId === undefined ? undefined : this.repository.load(creatorId);
  }
}
