import { Injectable } from '@nestjs/common';
import { type CommandContext, DomainError } from '#kernel';
import type { EnrolledCreator, Identity } from '../domain/creator.state.js';
import { hasIdentityToWrite, recordIdentityWrite } from '../domain/enrollment/enrollment.js';
import { newProfiles } from '../domain/identity/identity.js';
import { CreatorRepository, isFound, type LoadedCreator } from './creator.repository.js';
import { CreatorAccess } from './creator-access.js';
import { CreatorPlatform, type IdentityChange } from './ports.js';

/** Writes the identity that was submitted at enrollment to the platform. */
@Injectable()
export class IdentityWriter {
  constructor(
    private readonly repository: CreatorRepository,
    private readonly creators: CreatorAccess,
    private readonly platform: CreatorPlatform,
  ) {}

  /** Writes it once, under the creator's lease; the name is set, aliases and profiles are merged. */
  async writeSubmitted(creator: LoadedCreator, context: CommandContext): Promise<LoadedCreator> {
    const { state } = creator;
    if (!hasIdentityToWrite(state)) return creator;
    const { agencyId, userId, identityToWrite } = state;
    const effect = await this.platform.updateIdentity(agencyId, userId, identityChangeOf(state, identityToWrite));
    let isOvertaken = false;
    const after = await this.repository.update(creator, context, (current, _now, position) => {
      isOvertaken = position > creator.position;
      return recordIdentityWrite(current, effect, isOvertaken);
    });
    if (effect.outcome === 'done') {
      return isOvertaken && isFound(after) ? this.creators.refresh(after, context, null) : after;
    }
    if (effect.outcome === 'unknown') throw unwritten(effect.error);
    if (effect.code !== 'not_found') throw new DomainError('provider_invalid_response', { cause: effect.code });
    await this.creators.reportMissing(after, context);
    throw new DomainError('not_found');
  }
}

/** D75: profiles that the native record already has are not sent. */
const identityChangeOf = ({ standing, identity }: EnrolledCreator, submitted: Identity): IdentityChange =>
  standing === null ? submitted : { ...submitted, profiles: newProfiles(identity, submitted.profiles) };

/** D28: 504 or 502; a 503 would say that nothing can have been written. */
const unwritten = (error: DomainError): DomainError =>
  error.code === 'provider_unavailable' ? new DomainError('provider_timeout', { cause: error }) : error;
