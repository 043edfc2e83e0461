import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type CommandContext, type CreatorId, DomainError, performEffect, type UserId } from '#kernel';
import { type EnrolledCreator, requireWritable } from '../../domain/creator.state.js';
import { type IdentityChange, identityToBe, newIn, requireFit } from '../../domain/identity/identity.js';
import { recordIdentityChange } from '../../domain/membership/identity-writes.js';
import { CreatorRepository } from '../access/creator.repository.js';
import type { AgencyScope } from '../access/creator-access.js';
import { CreatorPlatform } from '../access/creator-platform.js';
import { enrolled, type FoundCreator } from '../access/loaded-creator.js';
import { ObservedCreators } from '../access/observed-creators.js';
import { SubmittedIdentityWriter } from '../enrollment/submitted-identity-writer.js';

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
    private readonly repository: CreatorRepository,
    private readonly creators: ObservedCreators,
    private readonly identities: SubmittedIdentityWriter,
    private readonly platform: CreatorPlatform,
  ) {}

  execute({ creatorId, scope, change, context }: UpdateCreator): Promise<EnrolledCreator> {
    return this.creators.exclusively(creatorId, scope, async () => {
      // What is there in any form is not written (D33, D75) and does not count as new (D66), so the platform is asked first.
      const seen = await this.creators.current(await this.creators.ofWorkspace(creatorId, scope), context);
      requireFit(identityToBe(seen.state), change);
      requireWritable(seen.state, scope.epoch);
      const { userId } = seen.state;
      if (userId === null) throw new DomainError('creator_invitation_pending');
      // What was submitted at enrollment goes first: written later, it would undo this change.
      const written = enrolled(await this.identities.write(seen, context));
      const latest = await this.creators.seenAgain(written, context);
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
    const { loaded, effect, isOvertaken } = await performEffect(this.repository, creator, context, {
      call: () => this.platform.updateIdentity(creator.state.agencyId, userId, change),
      outcome: recordIdentityChange,
    });
    if (effect.outcome === 'unknown') throw effect.error;
    // D43: also if it is seen again by now, as nothing of this change was written.
    if (effect.outcome === 'refused' && effect.code === 'not_found') throw new DomainError('not_found');
    if (effect.outcome === 'refused') throw new DomainError('provider_invalid_response', { cause: effect.code });
    const latest = enrolled(loaded);
    return isOvertaken ? this.creators.current(latest, context) : this.creators.seenAgain(latest, context);
  }
}

const adds = ({ displayName, aliases = [], profiles = [] }: IdentityChange): boolean =>
  displayName !== undefined || aliases.length + profiles.length > 0;
