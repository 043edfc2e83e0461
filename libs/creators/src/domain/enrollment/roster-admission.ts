import {
  type AgencyId,
  type CreatorId,
  DomainError,
  ENCRYPTED,
  type FieldError,
  type Instant,
  invalidRequest,
  type LoadedState,
  NO_EVENTS,
  PersonalDataUnreadable,
  type Revision,
  type UserId,
} from '#kernel';
import {
  type CreatorState,
  type EnrolledCreator,
  type Identity,
  type Invitee,
  isRefusedAndRemoved,
} from '../creator.state.js';
import type { EnrollmentHashes } from '../membership/erasure.js';
import { type Roster, type RosterAdmission, type RosterEvent, rosterDecider } from './roster.js';
import { digestOf, type RosterEntry } from './roster-entry.js';
import { refuseErased } from './roster-erasure.js';
import { requireBeginning, requireRoom } from './roster-seats.js';

export const automaticExternalId = (userId: UserId): string => `svc:${userId}`;

export interface RosterMember {
  readonly userId: UserId;
  /** The creator whose invitation the user has accepted, as the platform says. */
  readonly invited: CreatorId | null;
  /** The id for a creator that has to be created. */
  readonly newId: CreatorId;
}

/** Finds each member's creator: the known one (D74), the one that was invited (D35), or a newly imported one. */
export function admitMembers(
  roster: Roster,
  members: readonly RosterMember[],
  { agencyId, epoch }: { readonly agencyId: AgencyId; readonly epoch: number },
): RosterEvent[] {
  const admitted: RosterEvent[] = [];
  let known = roster;
  for (const { userId, invited, newId } of members) {
    const linked = invited === null ? [] : linkUser(known, invited, userId);
    const isNew = linked.length === 0 && !known.byUser.has(userId);
    const imported = isNew ? [importOf(userId, { creatorId: newId, agencyId, epoch })] : [];
    for (const event of [...linked, ...imported]) {
      admitted.push(event);
      known = rosterDecider.evolve(known, event, 0);
    }
  }
  return admitted;
}

const importOf = (
  userId: UserId,
  enrolling: { readonly creatorId: CreatorId; readonly agencyId: AgencyId; readonly epoch: number },
): RosterEvent => {
  const personal = { externalId: automaticExternalId(userId), fingerprint: null, submitted: null };
  return { type: 'roster.creatorAdmitted.v1', data: { ...enrolling, via: 'import', userId, personal } };
};

/** Only a creator without a user can be the invited one; of a user that has a creator, it is detached (D74). */
export function linkUser(roster: Roster, creatorId: CreatorId, userId: UserId): RosterEvent[] {
  const entry = roster.creators.get(creatorId);
  if (entry === undefined || entry.userId !== null || entry.isDetached) return [];
  const keptBy = roster.byUser.get(userId);
  if (keptBy !== undefined) return [{ type: 'roster.inviteeDetached.v1', data: { creatorId, userId, keptBy } }];
  return [{ type: 'roster.nativeUserLinked.v1', data: { creatorId, userId } }];
}

export interface EnrollmentRequest {
  readonly externalId: string;
  readonly identity: Identity;
  /** Fingerprint of the body as it was sent (D24). */
  readonly fingerprint: string;
  /** Violations of the current rules, which apply to new requests only (D98). */
  readonly problems?: readonly FieldError[];
}

export interface LinkEnrollment extends EnrollmentRequest {
  readonly userId: UserId;
}

export interface Invite extends EnrollmentRequest {
  readonly invitee: Invitee;
}

export interface EnrollResult {
  readonly creator: EnrolledCreator;
  /** Whether this same request enrolled it (D26). */
  readonly isNew: boolean;
  readonly emailSent: boolean;
}

/** The parts of a request that are compared with the roster. */
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

/** D98: rules may have become stricter, for new requests only: the repeat of an accepted one is checked first. */
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
    // A user that already is another creator remains that one, and has an external id.
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
