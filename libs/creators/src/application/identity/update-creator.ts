import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type CommandContext, type CreatorId, DomainError, performEffect, type UserId } from '#kernel';
import { type EnrolledCreator, requireWritable } from '../../domain/creator.state.js';
import { type IdentityChange, identityToBe, newIn, requireFit } from '../../domain/identity/identity.js';
import { recordIdentityChange } from '../../domain/membership/observation.js';
import { CreatorAccess } from '../access/creator-access.js';
import { type AgencyScope, CreatorPorts, enrolled, type FoundCreator } from '../access/creator-ports.js';
import { writeSubmittedIdentity } from './submitted-identity.js';

/** Safe to repeat. Under the lease, so that an erasure waits for it and nothing is written after one (D72). */
export class UpdateCreator extends Command<EnrolledCreator> {
  constructor(
    readonly creatorId: CreatorId,
    readonly scope: AgencyScope,
    readonly change: IdentityChange,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(UpdateCreator)
export class UpdateCreatorHandler implements ICommandHandler<UpdateCreator> {
  constructor(
    private readonly ports: CreatorPorts,
    private readonly creators: CreatorAccess,
  ) {}

  execute({ creatorId, scope, change, context }: UpdateCreator): Promise<EnrolledCreator> {
    return this.creators.exclusively(creatorId, scope, async () => {
      // A text that the platform has in any form is not written (D33, D75), nor is new (D66): the platform is asked
      // first.
      const seen = await this.creators.refreshed(await this.creators.ofWorkspace(creatorId, scope), context);
      requireFit(identityToBe(seen.state), change);
      requireWritable(seen.state, scope.epoch);
      const { userId } = seen.state;
      if (userId === null) throw new DomainError('creator_invitation_pending');
      // The identity that was submitted at enrollment is written first: written later, it would undo this change.
      const written = enrolled(await writeSubmittedIdentity(this.ports, this.creators, seen, context));
      const latest = await this.creators.refreshIfMissing(written, context);
      const news = newIn(latest.state.identity, change);
      return (adds(news) ? await this.write(userId, latest, news, context) : latest).state;
    });
  }

  /** Without an intent: the same change may be written any number of times. */
  private async write(
    userId: UserId,
    creator: FoundCreator,
    change: IdentityChange,
    context: CommandContext,
  ): Promise<FoundCreator> {
    const { loaded, effect, isOvertaken } = await performEffect(this.ports.repository, creator, context, {
      call: () => this.ports.platform.updateIdentity(creator.state.agencyId, userId, change),
      outcome: recordIdentityChange,
    });
    if (effect.outcome === 'unknown') throw effect.error;
    // D43: even if it has been seen again by now, because nothing of this change was written.
    if (effect.outcome === 'refused' && effect.code === 'not_found') throw new DomainError('not_found');
    if (effect.outcome === 'refused') throw new DomainError('provider_invalid_response', { cause: effect.code });
    const latest = enrolled(loaded);
    return isOvertaken ? this.creators.refreshed(latest, context) : this.creators.refreshIfMissing(latest, context);
  }
}

const adds = ({ displayName, aliases = [], profiles = [] }: IdentityChange): boolean =>
  displayName !== undefined || aliases.length + profiles.length > 0;
