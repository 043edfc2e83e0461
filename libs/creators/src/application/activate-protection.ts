import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Leases } from '#jobs';
import { type CommandContext, type CreatorId, DomainError, newEventId } from '#kernel';
import { assertAccessible, type EnrolledCreator } from '../domain/creator.state.js';
import { requireWritable } from '../domain/enrollment/enrollment.js';
import {
  abandonActivation,
  confirmActivation,
  openActivation,
  requestActivation,
} from '../domain/protection/protection.js';
import { CreatorRepository, type LoadedCreator } from './creator.repository.js';
import { type AgencyScope, CreatorAccess } from './creator-access.js';
import { withCreatorLease } from './creator-lease.js';
import { CreatorPlatform } from './ports.js';

/**
 * Starts the API schedule: the intent is recorded, the slot occupied, the activation recorded; one creator's slot calls run
 * in turn (D42). Where the outcome is unknown, the same again continues the intent; `SlotSettling` abandons it later.
 */
export class ActivateProtection extends Command<EnrolledCreator> {
  constructor(
    readonly creatorId: CreatorId,
    readonly scope: AgencyScope,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(ActivateProtection)
export class ActivateProtectionHandler implements ICommandHandler<ActivateProtection> {
  constructor(
    private readonly repository: CreatorRepository,
    private readonly creators: CreatorAccess,
    private readonly platform: CreatorPlatform,
    private readonly leases: Leases,
  ) {}

  execute({ creatorId, scope, context }: ActivateProtection): Promise<EnrolledCreator> {
    return withCreatorLease(this.leases, creatorId, async () => {
      const before = await this.creators.accessible(creatorId, scope, context);
      // D41: an active creator stays active, in any standing.
      if (before.state.protection.status === 'active') return before.state;
      requireWritable(before.state, scope.epoch);
      const seen = await this.creators.observe(before, context);
      const intended = await this.repository.update(seen, context, (state, now) =>
        requestActivation(assertAccessible(state), { activationId: newEventId(), epoch: scope.epoch }, now),
      );
      return this.occupySlot(intended, context);
    });
  }

  private async occupySlot(intended: LoadedCreator, context: CommandContext): Promise<EnrolledCreator> {
    const creator = assertAccessible(intended.state);
    const activationId = openActivation(creator);
    if (activationId === undefined || creator.userId === null) return creator;
    const effect = await this.platform.occupySlot(creator.agencyId, creator.userId);
    if (effect.outcome === 'unknown') throw effect.error;
    if (effect.outcome === 'refused') return this.refuse(intended, activationId, effect.code, context);
    const { state } = await this.repository.update(intended, context, (current) =>
      confirmActivation(assertAccessible(current), activationId),
    );
    return assertAccessible(state);
  }

  private async refuse(
    intended: LoadedCreator,
    activationId: string,
    code: string,
    context: CommandContext,
  ): Promise<never> {
    const reason = code === 'capacity_reached' || code === 'not_found' ? code : 'unsettled';
    const abandoned = await this.repository.update(intended, context, (state) =>
      abandonActivation(state, activationId, reason),
    );
    if (reason === 'not_found') await this.creators.reportMissing(abandoned, context);
    throw new DomainError(reason === 'unsettled' ? 'provider_invalid_response' : reason, { cause: code });
  }
}
