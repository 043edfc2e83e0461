import { Map as PersistentMap } from 'immutable';
import {
  type AgencyId,
  type CreatorId,
  type Decider,
  DomainError,
  NO_EVENTS,
  type Revision,
  type UserId,
  unknownEvent,
} from '#kernel';
import type { Identity, Invitee } from './creator.state.js';

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
  /** Where its own stream stood when it was last tried again after a refusal: one up to there was about an earlier try. */
  readonly triedAgainAt: Revision;
}

export interface Roster {
  readonly creators: PersistentMap<CreatorId, RosterEntry>;
  readonly byExternalId: PersistentMap<string, CreatorId>;
  readonly byUser: PersistentMap<UserId, CreatorId>;
  readonly counted: number;
}

type Fact<Type extends string, Data extends object> = { readonly type: `roster.${Type}.v1`; readonly data: Data };

/** What a process needs to complete the enrollment where a crash came between the two streams. */
export interface Admission {
  readonly creatorId: CreatorId;
  readonly agencyId: AgencyId;
  readonly epoch: number;
  readonly via: 'link' | 'invitation' | 'import';
  readonly userId: UserId | null;
  readonly personal: {
    readonly externalId: string;
    readonly fingerprint: string | null;
    /** The submitted identity and invitee, as the creator's first event will have them. */
    readonly submitted: { readonly identity: Identity; readonly invitee: Invitee | null } | null;
  };
}

export type RosterEvent =
  | Fact<'creatorAdmitted', Admission>
  | Fact<'externalIdReplaced', Admission>
  | Fact<'nativeUserLinked', { creatorId: CreatorId; userId: UserId }>
  | Fact<'creatorReleased', { creatorId: CreatorId; reason: 'failed' | 'cancelled' | 'detached' | 'transferred' }>
  | Fact<'creatorReadmitted', { creatorId: CreatorId }>
  | Fact<'creatorTriedAgain', { creatorId: CreatorId; revision: Revision }>;

export const rosterDecider: Decider<Roster, RosterEvent> = {
  category: 'roster',
  initial: { creators: PersistentMap(), byExternalId: PersistentMap(), byUser: PersistentMap(), counted: 0 },
  evolve: (state, event) => {
    const { creatorId } = event.data;
    const entry = state.creators.get(creatorId);
    switch (event.type) {
      case 'roster.creatorAdmitted.v1':
      case 'roster.externalIdReplaced.v1': {
        const { via, userId, personal } = event.data;
        const { externalId, fingerprint } = personal;
        const counted = via !== 'import';
        return put(state, { creatorId, externalId, fingerprint, userId, counted, triedAgainAt: NO_EVENTS });
      }
      case 'roster.nativeUserLinked.v1':
        return entry ? put(state, { ...entry, userId: event.data.userId }) : state;
      case 'roster.creatorReleased.v1':
        return entry ? put(state, { ...entry, counted: false }) : state;
      case 'roster.creatorReadmitted.v1':
        return entry ? put(state, { ...entry, counted: entry.fingerprint !== null }) : state;
      case 'roster.creatorTriedAgain.v1':
        return entry ? put(state, { ...entry, counted: true, triedAgainAt: event.data.revision }) : state;
      default:
        return unknownEvent(event, state);
    }
  },
};

/** An external id, once given, stays its creator's for good (D25). */
const put = (state: Roster, entry: RosterEntry): Roster => ({
  creators: state.creators.set(entry.creatorId, entry),
  byExternalId: state.byExternalId.set(entry.externalId, entry.creatorId),
  byUser: entry.userId === null ? state.byUser : state.byUser.set(entry.userId, entry.creatorId),
  counted: state.counted + Number(entry.counted) - Number(state.creators.get(entry.creatorId)?.counted ?? false),
});

/** The external id of a creator that the roster imported. */
export const automaticExternalId = (userId: UserId): string => `svc:${userId}`;

/** Only an imported creator has no fingerprint; its automatic external id may be replaced once. */
const isImported = (entry: RosterEntry): boolean => entry.fingerprint === null;

/** The creator that this very request has enrolled before, `undefined` for none; a different request conflicts. */
export function enrolledBefore(
  roster: Roster,
  { externalId, fingerprint, userId }: { externalId: string; fingerprint: string; userId: UserId | null },
): CreatorId | undefined {
  const holder = roster.byExternalId.get(externalId);
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
export function admit(roster: Roster, request: AdmissionRequest, totalSlots: number): RosterEvent[] {
  const { externalId, fingerprint } = request.personal;
  if (enrolledBefore(roster, { externalId, fingerprint, userId: request.userId }) !== undefined) return [];
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

/** Gives every member of the native roster its creator: the one invited, the one known, or an imported one (D35). */
export function admitMembers(
  roster: Roster,
  members: readonly RosterMember[],
  { agencyId, epoch }: { readonly agencyId: AgencyId; readonly epoch: number },
): RosterEvent[] {
  const admitted: RosterEvent[] = [];
  let known = roster;
  for (const { userId, invited, newId } of members) {
    if (known.byUser.has(userId)) continue;
    const event: RosterEvent =
      invited !== null && awaitsUser(known, invited)
        ? { type: 'roster.nativeUserLinked.v1', data: { creatorId: invited, userId } }
        : { type: 'roster.creatorAdmitted.v1', data: importOf(userId, { creatorId: newId, agencyId, epoch }) };
    admitted.push(event);
    known = rosterDecider.evolve(known, event, 0);
  }
  return admitted;
}

const importOf = (
  userId: UserId,
  enrolling: { readonly creatorId: CreatorId; readonly agencyId: AgencyId; readonly epoch: number },
): Admission => {
  const personal = { externalId: automaticExternalId(userId), fingerprint: null, submitted: null };
  return { ...enrolling, via: 'import', userId, personal };
};

/** References come from outside: only a creator that has no user yet can be the one that was invited. */
const awaitsUser = (roster: Roster, creatorId: CreatorId): boolean => roster.creators.get(creatorId)?.userId === null;

export function linkUser(roster: Roster, creatorId: CreatorId, userId: UserId): RosterEvent[] {
  return awaitsUser(roster, creatorId) ? [{ type: 'roster.nativeUserLinked.v1', data: { creatorId, userId } }] : [];
}

/** `revision` is that of the creator's event that gives the place back. */
export function release(
  roster: Roster,
  creatorId: CreatorId,
  reason: 'failed' | 'cancelled' | 'detached' | 'transferred',
  revision: Revision,
): RosterEvent[] {
  const entry = roster.creators.get(creatorId);
  const isOver = reason === 'failed' && entry !== undefined && revision <= entry.triedAgainAt;
  return entry?.counted && !isOver ? [{ type: 'roster.creatorReleased.v1', data: { creatorId, reason } }] : [];
}

export function readmit(roster: Roster, creatorId: CreatorId): RosterEvent[] {
  const entry = roster.creators.get(creatorId);
  return entry && !entry.counted && entry.fingerprint !== null
    ? [{ type: 'roster.creatorReadmitted.v1', data: { creatorId } }]
    : [];
}

/** Takes a place for one that was refused and is tried again; where its own has been given back, only if there is room. */
export function tryAgain(roster: Roster, creatorId: CreatorId, revision: Revision, totalSlots: number): RosterEvent[] {
  const entry = roster.creators.get(creatorId);
  if (entry === undefined || entry.triedAgainAt === revision) return [];
  if (!entry.counted) requireRoom(roster, totalSlots);
  return [{ type: 'roster.creatorTriedAgain.v1', data: { creatorId, revision } }];
}
