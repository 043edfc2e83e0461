import {
  type CreatorId,
  DomainError,
  ENCRYPTED,
  type Instant,
  invalidRequest,
  type LoadedState,
  NO_EVENTS,
  PersonalDataUnreadable,
  type Revision,
  type UserId,
} from '#kernel';
import { type CreatorState, isRefusedAndRemoved } from '../creator.state.js';
import type { EnrollmentHashes } from '../membership/erasure-hashes.js';
import type { EnrollmentRequest } from './enrollment-requests.js';
import type { RosterAdmission, RosterEvent } from './roster.events.js';
import type { Roster } from './roster.js';
import { digestOf, type RosterEntry } from './roster-entry.js';
import { refuseErased } from './roster-erasure.js';
import { requireBeginning, requireRoom } from './roster-seats.js';

/** What of a request is compared with the roster. */
export interface EnrollmentKeys {
  readonly externalId: string;
  readonly fingerprint: string;
  readonly userId: UserId | null;
  readonly hashes: EnrollmentHashes;
  readonly ended?: EndedEnrollment | undefined;
}

/** An enrollment that the platform refused and DELETE ended: another one may follow, as the same creator (D25). */
export interface EndedEnrollment {
  readonly creatorId: CreatorId;
  readonly fingerprint: RosterEntry['fingerprint'];
  readonly revision: Revision;
}

/** Whether another enrollment was admitted after that, which the creator's stream does not have yet. */
export const isAdmittedAgain = (
  roster: Roster,
  { id, state, revision }: LoadedState<CreatorState, CreatorId>,
): boolean => isRefusedAndRemoved(state) && (roster.creators.get(id)?.retriedAtRevision ?? NO_EVENTS) >= revision;

/** D98: rules may have become stricter, and judge new requests only: a repeat of an accepted one goes first. */
export function requireValid(
  roster: Roster,
  { externalId, fingerprint, problems = [] }: Pick<EnrollmentRequest, 'externalId' | 'fingerprint' | 'problems'>,
): void {
  const holder = roster.byExternalId.get(digestOf(externalId));
  const isRepeat = holder !== undefined && roster.creators.get(holder)?.fingerprint === digestOf(fingerprint);
  if (problems.length > 0 && !isRepeat) throw invalidRequest(...problems);
}

/** Only an imported creator has no fingerprint; its automatic external id may be replaced once. */
const isImported = (entry: RosterEntry): boolean => entry.fingerprint === null;

/** The creator that this same request has enrolled before, or undefined; a different request conflicts. */
export function enrolledBefore(
  roster: Roster,
  { externalId, fingerprint, userId, hashes, ended }: EnrollmentKeys,
): CreatorId | undefined {
  refuseErased(roster, { userId, hashes });
  const holder = roster.byExternalId.get(digestOf(externalId));
  // D71: the external id may belong to the creator that cannot be decrypted, and a second mail must not be sent.
  if (holder === undefined && roster.byExternalId.has(digestOf(ENCRYPTED))) {
    throw new PersonalDataUnreadable('an external id of the roster cannot be decrypted');
  }
  const entry = holder && roster.creators.get(holder);
  if (entry) {
    if (entry.fingerprint === digestOf(fingerprint)) return entry.creatorId;
    if (isImported(entry) && entry.userId === userId) return undefined;
    const isEnded = ended?.creatorId === holder && ended?.fingerprint === entry.fingerprint;
    // A user that is another creator remains that one, and has an external id.
    if (isEnded && (userId === null || !roster.byUser.has(userId))) return undefined;
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
  { hashes, ended }: Pick<EnrollmentKeys, 'hashes' | 'ended'>,
  now: Instant,
): RosterEvent[] {
  const { externalId, fingerprint } = request.personal;
  if (enrolledBefore(roster, { externalId, fingerprint, userId: request.userId, hashes, ended }) !== undefined)
    return [];
  requireRoom(roster, totalSlots);
  requireBeginning(roster, totalSlots, now);
  const imported = request.userId && roster.byUser.get(request.userId);
  if (imported) return [{ type: 'roster.externalIdReplaced.v1', data: { ...request, creatorId: imported } }];
  const again = ended && { creatorId: ended.creatorId, endedAtRevision: ended.revision };
  return [{ type: 'roster.creatorAdmitted.v1', data: { ...request, ...again } }];
}
