import {
  type CreatorId,
  DomainError,
  ENCRYPTED,
  ERASED,
  PersonalDataUnreadable,
  type UserId,
  type WorkspaceId,
} from '#kernel';
import type { EnrollmentHashes, ErasureHashes } from '../membership/erasure-hashes.js';
import type { RosterEvent } from './roster.events.js';
import type { Roster } from './roster.js';

/**
 * D72: what was enrolled stays so after its creator was erased: the same request is `not_found`, another one with the
 * external id conflicts. A user that was erased is `not_found` under any other external id (D83). Creators that were
 * erased before hashes were kept conflict.
 */
export function refuseErased(
  roster: Roster,
  { userId, hashes }: { readonly userId: UserId | null; readonly hashes: EnrollmentHashes },
): void {
  const fingerprint = roster.erased.get(hashes.externalId);
  if (fingerprint !== undefined) {
    throw new DomainError(fingerprint === hashes.fingerprint ? 'not_found' : 'external_id_conflict');
  }
  const entry = userId === null ? undefined : roster.creators.get(roster.byUser.get(userId) ?? ('' as CreatorId));
  if (entry?.isErased) throw new DomainError('not_found');
  if (entry?.externalId === ERASED) throw new DomainError('external_id_conflict');
}

/** D72: what is kept of a creator whose personal data is about to be destroyed; `[]` where it is, or can no longer be. */
export function eraseFromRoster(
  roster: Roster,
  creatorId: CreatorId,
  hashes: ErasureHashes,
  workspaceId: WorkspaceId,
): RosterEvent[] {
  const entry = roster.creators.get(creatorId);
  if (entry === undefined || entry.isErased || entry.externalId === ERASED) return [];
  if (entry.externalId === ENCRYPTED)
    throw new PersonalDataUnreadable(`the external id of ${creatorId} cannot be decrypted`);
  const externalIds = [...roster.byExternalId.filter((holder) => holder === creatorId).keys()];
  const data = {
    creatorId,
    externalIds: externalIds.map((externalId) => hashes.externalId(workspaceId, externalId)),
    fingerprint: entry.fingerprint === null ? null : hashes.fingerprint(workspaceId, entry.fingerprint),
  };
  return [{ type: 'roster.creatorErased.v1', data }];
}
