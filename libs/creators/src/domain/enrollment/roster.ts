import { Map as PersistentMap } from 'immutable';
import {
  type AgencyId,
  type CreatorId,
  type Decider,
  DomainError,
  ENCRYPTED,
  ERASED,
  NO_EVENTS,
  PersonalDataUnreadable,
  type Revision,
  type UserId,
  unknownEvent,
  type WorkspaceId,
} from '#kernel';
import type { EnrollmentHashes, ErasureHashes } from '../membership/erasure-hashes.js';
import type { Admission, RosterEvent } from './roster.events.js';

/** D31: enrollment is capped at this many times the agency's slots. */
export const ENROLLMENTS_PER_SLOT = 5;

export interface RosterEntry {
  readonly creatorId: CreatorId;
  readonly externalId: string;
  /** Of the request that enrolled it; null for one that was only imported. */
  readonly fingerprint: string | null;
  readonly userId: UserId | null;
  /** D31: enrolled through POST, and not failed, cancelled, detached or transferred. */
  readonly counted: boolean;
  /** D74: its invitation was accepted by the user of another creator, so that it never gets a user. */
  readonly isDetached: boolean;
  /** D72: its personal data was destroyed, and hashes of it are kept. */
  readonly isErased: boolean;
  /** Where its own stream stood when it was last tried again after a refusal: one up to there was about an earlier try. */
  readonly retriedAtRevision: Revision;
}

export interface Roster {
  readonly creators: PersistentMap<CreatorId, RosterEntry>;
  readonly byExternalId: PersistentMap<string, CreatorId>;
  readonly byUser: PersistentMap<UserId, CreatorId>;
  readonly counted: number;
  /** D72: by the hash of an external id, the hash of the request that enrolled its creator, null for an imported one. */
  readonly erased: PersistentMap<string, string | null>;
}

export const rosterDecider: Decider<Roster, RosterEvent> = {
  category: 'roster',
  initial: {
    creators: PersistentMap(),
    byExternalId: PersistentMap(),
    byUser: PersistentMap(),
    counted: 0,
    erased: PersistentMap(),
  },
  evolve: (state, event) => {
    const { creatorId } = event.data;
    const entry = state.creators.get(creatorId);
    switch (event.type) {
      case 'roster.creatorAdmitted.v1':
      case 'roster.externalIdReplaced.v1': {
        const { via, userId, personal } = event.data;
        const { externalId, fingerprint } = personal;
        const counted = via !== 'import';
        const entered = { creatorId, externalId, fingerprint, userId, counted };
        return put(state, { ...entered, isDetached: false, isErased: false, retriedAtRevision: NO_EVENTS });
      }
      case 'roster.nativeUserLinked.v1':
        return entry ? put(state, { ...entry, userId: event.data.userId }) : state;
      case 'roster.inviteeDetached.v1':
        return entry ? put(state, { ...entry, counted: false, isDetached: true }) : state;
      case 'roster.creatorErased.v1':
        return entry ? withoutTexts(state, entry, event.data) : state;
      case 'roster.creatorReleased.v1':
        return entry ? put(state, { ...entry, counted: false }) : state;
      case 'roster.seatReservedAgain.v1':
        return entry ? put(state, { ...entry, counted: entry.fingerprint !== null }) : state;
      case 'roster.enrollmentRetried.v1':
        return entry ? put(state, { ...entry, counted: true, retriedAtRevision: event.data.revision }) : state;
      default:
        return unknownEvent(event, state);
    }
  },
};

/** The same whether the texts could still be read when the roster was folded, or not. */
const withoutTexts = (
  state: Roster,
  entry: RosterEntry,
  { externalIds, fingerprint }: { readonly externalIds: readonly string[]; readonly fingerprint: string | null },
): Roster => ({
  ...state,
  creators: state.creators.set(entry.creatorId, {
    ...entry,
    externalId: ERASED,
    fingerprint: entry.fingerprint === null ? null : ERASED,
    isErased: true,
  }),
  byExternalId: state.byExternalId.filter((creatorId) => creatorId !== entry.creatorId),
  erased: externalIds.reduce((erased, externalId) => erased.set(externalId, fingerprint), state.erased),
});

/** An external id, once given, stays its creator's for good (D25). */
const put = (state: Roster, entry: RosterEntry): Roster => ({
  ...state,
  creators: state.creators.set(entry.creatorId, entry),
  byExternalId: entry.isErased ? state.byExternalId : state.byExternalId.set(entry.externalId, entry.creatorId),
  byUser: entry.userId === null ? state.byUser : state.byUser.set(entry.userId, entry.creatorId),
  counted: state.counted + Number(entry.counted) - Number(state.creators.get(entry.creatorId)?.counted ?? false),
});

/** The external id of a creator that the roster imported. */
export const automaticExternalId = (userId: UserId): string => `svc:${userId}`;

/** Only an imported creator has no fingerprint; its automatic external id may be replaced once. */
const isImported = (entry: RosterEntry): boolean => entry.fingerprint === null;

/** What a request is compared with the roster by. */
export interface EnrollmentKeys {
  readonly externalId: string;
  readonly fingerprint: string;
  readonly userId: UserId | null;
  readonly hashes: EnrollmentHashes;
}

/**
 * D72: what was enrolled stays so after its creator was erased: the same request is `not_found`, another one with the
 * external id conflicts. A user that was erased is `not_found` under any other external id (D83). Creators that were
 * erased before hashes were kept conflict.
 */
export function refuseErased(roster: Roster, { userId, hashes }: Pick<EnrollmentKeys, 'userId' | 'hashes'>): void {
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

/** The creator that this very request has enrolled before, `undefined` for none; a different request conflicts. */
export function enrolledBefore(
  roster: Roster,
  { externalId, fingerprint, userId, hashes }: EnrollmentKeys,
): CreatorId | undefined {
  refuseErased(roster, { userId, hashes });
  const holder = roster.byExternalId.get(externalId);
  // D71: the external id may belong to the creator that cannot be decrypted; a second mail must not go out.
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

export interface AdmissionRequest extends Omit<Admission, 'personal'> {
  readonly personal: Admission['personal'] & { readonly fingerprint: string };
}

/** Reserves external id, native user and a place under the cap, all in one. */
export function admit(
  roster: Roster,
  request: AdmissionRequest,
  totalSlots: number,
  hashes: EnrollmentHashes,
): RosterEvent[] {
  const { externalId, fingerprint } = request.personal;
  if (enrolledBefore(roster, { externalId, fingerprint, userId: request.userId, hashes }) !== undefined) return [];
  requireRoom(roster, totalSlots);
  const imported = request.userId && roster.byUser.get(request.userId);
  if (imported) return [{ type: 'roster.externalIdReplaced.v1', data: { ...request, creatorId: imported } }];
  return [{ type: 'roster.creatorAdmitted.v1', data: request }];
}

const requireRoom = (roster: Roster, totalSlots: number): void => {
  if (roster.counted >= ENROLLMENTS_PER_SLOT * totalSlots) throw new DomainError('capacity_reached');
};

export interface RosterMember {
  readonly userId: UserId;
  /** The creator whose invitation the user says to have accepted. */
  readonly invited: CreatorId | null;
  /** The id for a creator that has to be made. */
  readonly newId: CreatorId;
}

/** Gives every member of the native roster its creator: the one known (D74), the one invited (D35), or an imported one. */
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

/**
 * The user accepted the creator's invitation. References come from outside: only a creator that has no user yet can be the
 * one that was invited. A user is one creator of a workspace: one that has a creator keeps it, and the invitation's is
 * detached (D74).
 */
export function linkUser(roster: Roster, creatorId: CreatorId, userId: UserId): RosterEvent[] {
  const entry = roster.creators.get(creatorId);
  if (entry === undefined || entry.userId !== null || entry.isDetached) return [];
  const keptBy = roster.byUser.get(userId);
  if (keptBy !== undefined) return [{ type: 'roster.inviteeDetached.v1', data: { creatorId, userId, keptBy } }];
  return [{ type: 'roster.nativeUserLinked.v1', data: { creatorId, userId } }];
}

/** `revision` is that of the creator's event that gives the place back. */
export function release(
  roster: Roster,
  creatorId: CreatorId,
  reason: 'failed' | 'cancelled' | 'detached' | 'transferred',
  revision: Revision,
): RosterEvent[] {
  const entry = roster.creators.get(creatorId);
  const isOver = reason === 'failed' && entry !== undefined && revision <= entry.retriedAtRevision;
  return entry?.counted && !isOver ? [{ type: 'roster.creatorReleased.v1', data: { creatorId, reason } }] : [];
}

export function countAgain(roster: Roster, creatorId: CreatorId): RosterEvent[] {
  const entry = roster.creators.get(creatorId);
  return entry && !entry.counted && entry.fingerprint !== null && !entry.isDetached
    ? [{ type: 'roster.seatReservedAgain.v1', data: { creatorId } }]
    : [];
}

/** Takes a place for one that was refused and is tried again; where its own has been given back, only if there is room. */
export function reserveSeatForRetry(
  roster: Roster,
  creatorId: CreatorId,
  revision: Revision,
  totalSlots: number,
): RosterEvent[] {
  const entry = roster.creators.get(creatorId);
  if (entry === undefined || entry.retriedAtRevision === revision) return [];
  if (!entry.counted) requireRoom(roster, totalSlots);
  return [{ type: 'roster.enrollmentRetried.v1', data: { creatorId, revision } }];
}
