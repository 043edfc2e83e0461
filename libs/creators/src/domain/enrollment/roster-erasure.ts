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
 * D72: what was enrolled is still enrolled after the creator's erasure: the same request is `not_found`, another one
 * with the external id conflicts. An erased user is `not_found` under any other external id (D83). If the creator was
 * erased by a version without hashes, all of them conflict.
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

/** D72: the hashes of a creator whose personal data is about to be destroyed; `[]` if they exist, or cannot be made. */
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
