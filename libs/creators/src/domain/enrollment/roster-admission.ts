import { type CreatorId, DomainError, ENCRYPTED, type Instant, PersonalDataUnreadable, type UserId } from '#kernel';
import type { EnrollmentHashes } from '../membership/erasure-hashes.js';
import type { RosterAdmission, RosterEvent } from './roster.events.js';
import type { Roster, RosterEntry } from './roster.js';
import { refuseErased } from './roster-erasure.js';
import { requireBeginning, requireRoom } from './roster-seats.js';

/** What of a request is compared with the roster. */
export interface EnrollmentKeys {
  readonly externalId: string;
  readonly fingerprint: string;
  readonly userId: UserId | null;
  readonly hashes: EnrollmentHashes;
}

/** Only an imported creator has no fingerprint; its automatic external id may be replaced once. */
const isImported = (entry: RosterEntry): boolean => entry.fingerprint === null;

/** The creator that this same request has enrolled before, or undefined; a different request conflicts. */
export function enrolledBefore(
  roster: Roster,
  { externalId, fingerprint, userId, hashes }: EnrollmentKeys,
): CreatorId | undefined {
  refuseErased(roster, { userId, hashes });
  const holder = roster.byExternalId.get(externalId);
  // D71: the external id may belong to the creator that cannot be decrypted, and a second mail must not be sent.
  if (holder === undefined && roster.byExternalId.has(ENCRYPTED)) {
    throw new PersonalDataUnreadable('an external id of the roster cannot be decrypted');
  }
  const entry = holder && roster.creators.get(holder);
  if (entry) {
    if (entry.fingerprint === fingerprint) return entry.creatorId;
    if (isImported(entry) && entry.userId === userId) return undefined;
    throw new DomainError('external_id_conflict');
  }
  const linked = userId && roster.byUser.get(userId);
  const known = linked && roster.creators.get(linked);
  if (known && !isImported(known)) throw new DomainError('external_id_conflict');
  return undefined;
}

export interface AdmissionRequest extends Omit<RosterAdmission, 'personal'> {
  readonly personal: RosterAdmission['personal'] & { readonly fingerprint: string };
}

/** Reserves external id, native user and a seat under the cap in one append. */
export function admit(
  roster: Roster,
  request: AdmissionRequest,
  totalSlots: number,
  hashes: EnrollmentHashes,
  now: Instant,
): RosterEvent[] {
  const { externalId, fingerprint } = request.personal;
  if (enrolledBefore(roster, { externalId, fingerprint, userId: request.userId, hashes }) !== undefined) return [];
  requireRoom(roster, totalSlots);
  requireBeginning(roster, totalSlots, now);
  const imported = request.userId && roster.byUser.get(request.userId);
  if (imported) return [{ type: 'roster.externalIdReplaced.v1', data: { ...request, creatorId: imported } }];
  return [{ type: 'roster.creatorAdmitted.v1', data: request }];
}
