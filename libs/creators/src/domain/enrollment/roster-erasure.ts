import { type CreatorId, DomainError, PersonalDataUnreadable, type UserId, type WorkspaceId } from '#kernel';
import type { EnrollmentHashes, ErasureHashes } from '../membership/erasure.js';
import type { Roster, RosterAdmission, RosterEvent } from './roster.js';
import { digestOf } from './roster-entry.js';

/** D72: the same request is `not_found`, another with the external id conflicts; an erased user is `not_found` (D83). */
export function refuseErased(
  roster: Roster,
  { userId, hashes }: { readonly userId: UserId | null; readonly hashes: EnrollmentHashes },
): void {
  const fingerprint = roster.erased.get(hashes.externalId);
  if (fingerprint !== undefined) {
    throw new DomainError(fingerprint === hashes.fingerprint ? 'not_found' : 'external_id_conflict');
  }
  const entry = userId === null ? undefined : entryOfUser(roster, userId);
  if (entry?.isErased) throw new DomainError('not_found');
  if (entry?.externalId === 'erased') throw new DomainError('external_id_conflict');
}

/** With or without hashes. */
export const isErasedUser = (roster: Roster, userId: UserId): boolean => {
  const entry = entryOfUser(roster, userId);
  return entry !== undefined && (entry.isErased || entry.externalId === 'erased');
};

const entryOfUser = ({ creators, byUser }: Roster, userId: UserId) => {
  const creatorId = byUser.get(userId);
  return creatorId === undefined ? undefined : creators.get(creatorId);
};

export interface ErasedAdmissions {
  readonly hashes: ErasureHashes;
  readonly workspaceId: WorkspaceId;
  /** All of the creator, newest first. */
  readonly admissions: readonly RosterAdmission[];
}

/** D72: `[]` if they exist or cannot be made. External ids are read from admissions; if one follows, erase again. */
export function eraseFromRoster(
  roster: Roster,
  creatorId: CreatorId,
  { hashes, workspaceId, admissions }: ErasedAdmissions,
): RosterEvent[] {
  const entry = roster.creators.get(creatorId);
  if (entry === undefined || entry.isErased || entry.externalId === 'erased') return [];
  if (entry.externalId === 'encrypted')
    throw new PersonalDataUnreadable(`the external id of ${creatorId} cannot be decrypted`);
  const fingerprint = admissions[0]?.personal.fingerprint ?? null;
  if (entry.fingerprint !== (fingerprint && digestOf(fingerprint))) throw new DomainError('provider_unavailable');
  const externalIds = new Set(admissions.map(({ personal }) => personal.externalId));
  const data = {
    creatorId,
    externalIds: [...externalIds].map((externalId) => hashes.externalId(workspaceId, externalId)),
    fingerprint: fingerprint && hashes.fingerprint(workspaceId, fingerprint),
  };
  return [{ type: 'roster.creatorErased.v1', data }];
}

/** D101: for a restored log that is older than the erasure: the hashes and the user from the replaced log. */
export function eraseFromRosterAgain(
  roster: Roster,
  creatorId: CreatorId,
  recorded: readonly RosterEvent[],
): RosterEvent[] {
  const entry = roster.creators.get(creatorId);
  if (entry === undefined || entry.isErased) return [];
  const linked = recorded.findLast(({ type }) => type === 'roster.nativeUserLinked.v1');
  const erased = recorded.findLast(({ type }) => type === 'roster.creatorErased.v1');
  return [entry.userId === null ? linked : undefined, erased].filter((event) => event !== undefined);
}
