import { type CommandContext, type CreatorId, DomainError } from '#kernel';
import type { EnrolledCreator } from './creator.state.js';
import type { AgencyScope, Creators } from './creators.js';
import { requireWritable } from './enrollment.js';
import type { Enrollments } from './enrollments.js';
import type { CreatorPlatform, IdentityChange } from './ports.js';

/** Writes names, aliases and profiles of a linked creator to the platform: setting and merging, so safe to repeat. */
export class IdentityUpdates {
  constructor(
    private readonly creators: Creators,
    private readonly enrollments: Enrollments,
    private readonly platform: CreatorPlatform,
  ) {}

  async update(
    creatorId: CreatorId,
    scope: AgencyScope,
    change: IdentityChange,
    context: CommandContext,
  ): Promise<EnrolledCreator> {
    const found = await this.creators.accessible(creatorId, scope, context);
    requireWritable(found, scope.epoch);
    const creator = found.userId === null ? await this.creators.refreshed(found, context) : found;
    if (creator.userId === null) throw new DomainError('creator_invitation_pending');
    if (adds(change)) {
      // What was submitted at enrollment goes first: written later, it would undo this change.
      if (creator.identityToWrite !== null) await this.enrollments.settle(creatorId, context);
      const began = await this.creators.place(creatorId);
      const effect = await this.platform.updateIdentity(scope.agencyId, creator.userId, change);
      if (effect.outcome === 'unknown') throw effect.error;
      if (effect.outcome === 'done') {
        const seen = await this.creators.recordSeen(creatorId, effect.value, context, { began });
        if (seen === undefined) return this.creators.refreshed(creator, context);
      } else if (effect.code === 'not_found') await this.creators.recordMissing(creatorId, context);
      else throw new DomainError('provider_invalid_response', { cause: effect.code });
      return this.creators.accessible(creatorId, scope, context);
    }
    return this.creators.refreshed(creator, context);
  }
}

/** D37: an empty array changes nothing, so that there is nothing to write. */
const adds = ({ displayName, aliases = [], profiles = [] }: IdentityChange): boolean =>
  displayName !== undefined || aliases.length + profiles.length > 0;
