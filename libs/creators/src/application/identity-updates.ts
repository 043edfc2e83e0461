import { Injectable } from '@nestjs/common';
import { type CommandContext, type CreatorId, DomainError, type UserId } from '#kernel';
import type { EnrolledCreator, Identity } from '../domain/creator.state.js';
import { requireWritable } from '../domain/enrollment/enrollment.js';
import { fitsIdentity, mergedIdentity, newProfiles, requireFit } from '../domain/identity/identity.js';
import { type AgencyScope, Creators } from './creators.js';
import { Enrollments } from './enrollments.js';
import { CreatorPlatform, type IdentityChange } from './ports.js';

/** Writes names, aliases and profiles of a linked creator to the platform: setting and merging, so safe to repeat. */
@Injectable()
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
    await this.requireFit(found, change, context);
    requireWritable(found, scope.epoch);
    const creator = found.userId === null ? await this.creators.refreshed(found, context) : found;
    if (creator.userId === null) throw new DomainError('creator_invitation_pending');
    if (!adds(change)) return this.creators.refreshed(creator, context);
    // What was submitted at enrollment goes first: written later, it would undo this change.
    if (creator.identityToWrite !== null) await this.enrollments.settle(creatorId, context);
    const latest = await this.withKnownProfiles(creatorId, scope, change, context);
    const news = { ...change, ...(change.profiles && { profiles: newProfiles(latest.identity, change.profiles) }) };
    return adds(news) ? this.write(creator.userId, latest, news, scope, context) : latest;
  }

  private async write(
    userId: UserId,
    creator: EnrolledCreator,
    change: IdentityChange,
    scope: AgencyScope,
    context: CommandContext,
  ): Promise<EnrolledCreator> {
    const { creatorId } = creator;
    const began = await this.creators.place(creatorId);
    const effect = await this.platform.updateIdentity(scope.agencyId, userId, change);
    if (effect.outcome === 'unknown') throw effect.error;
    if (effect.outcome === 'done') {
      const seen = await this.creators.recordSeen(creatorId, effect.value, context, { began });
      if (seen === undefined) return this.creators.refreshed(creator, context);
    } else if (effect.code === 'not_found') await this.creators.recordMissing(creatorId, context);
    else throw new DomainError('provider_invalid_response', { cause: effect.code });
    return this.creators.accessible(creatorId, scope, context);
  }

  /** D66: before it refuses, it asks the platform, where something may have been removed since. */
  private async requireFit(found: EnrolledCreator, change: IdentityChange, context: CommandContext): Promise<void> {
    if (fitsIdentity(toBe(found), change)) return;
    requireFit(toBe(await this.creators.refreshed(found, context)), change);
  }

  /** A profile that is not sent has to be there still (D75): the platform is asked before one is left out. */
  private async withKnownProfiles(
    creatorId: CreatorId,
    scope: AgencyScope,
    { profiles = [] }: IdentityChange,
    context: CommandContext,
  ): Promise<EnrolledCreator> {
    const creator = await this.creators.accessible(creatorId, scope, context);
    const leavesOut = newProfiles(creator.identity, profiles).length < profiles.length;
    return leavesOut ? this.creators.refreshed(creator, context) : creator;
  }
}

/** The identity once what was submitted at enrollment has been written. */
const toBe = ({ identity, identityToWrite }: EnrolledCreator): Identity =>
  identityToWrite === null ? identity : mergedIdentity(identity, identityToWrite);

/** D37: an empty array changes nothing, so that there is nothing to write. */
const adds = ({ displayName, aliases = [], profiles = [] }: IdentityChange): boolean =>
  displayName !== undefined || aliases.length + profiles.length > 0;
