import { type CommandContext, DomainError, performEffect } from '#kernel';
import { type IdentityChange, newIn } from '../../domain/identity/identity.js';
import {
  hasIdentityToWrite,
  recordIdentityWrite,
  type WithIdentityToWrite,
} from '../../domain/membership/observation.js';
import type { CreatorAccess } from '../access/creator-access.js';
import { type CreatorPorts, isFound, type LoadedCreator } from '../access/creator-ports.js';

/** Writes the submitted identity once, under the creator's lease; the name is set, aliases and profiles are merged. */
export const writeSubmittedIdentity = async (
  { repository, platform }: CreatorPorts,
  creators: CreatorAccess,
  creator: LoadedCreator,
  context: CommandContext,
): Promise<LoadedCreator> => {
  const { loaded, effect, isOvertaken } = await performEffect(repository, creator, context, {
    call: (state) =>
      hasIdentityToWrite(state)
        ? platform.updateIdentity(state.agencyId, state.userId, changeToWrite(state))
        : undefined,
    outcome: recordIdentityWrite,
  });
  if (effect === undefined) return loaded;
  if (effect.outcome === 'done') return isOvertaken && isFound(loaded) ? creators.refresh(loaded, context) : loaded;
  if (effect.outcome === 'unknown') throw unwritten(effect.error);
  if (effect.code !== 'not_found') throw new DomainError('provider_invalid_response', { cause: effect.code });
  await creators.reportMissing(loaded, context);
  throw new DomainError('not_found');
};

/** D33, D75: aliases and profiles that the native record already has are not sent. */
const changeToWrite = ({ standing, identity, identityToWrite }: WithIdentityToWrite): IdentityChange =>
  standing === null
    ? identityToWrite
    : { ...newIn(identity, identityToWrite), displayName: identityToWrite.displayName };

/** D28: 504 or 502; a 503 would say that nothing was written. */
const unwritten = (error: DomainError): DomainError =>
  error.code === 'provider_unavailable' ? new DomainError('provider_timeout', { cause: error }) : error;
