import { List, Map as PersistentMap } from 'immutable';
import {
  type AgencyId,
  CompactMap,
  type CreatorId,
  DAY,
  type Decider,
  ERASED,
  type Instant,
  MAX_CLOCK_SKEW,
  NO_EVENTS,
  type Revision,
  renamedTypes,
  type UserId,
  unknownEvent,
} from '#kernel';
import type { Identity, Invitee } from '../creator.state.js';
import { type Digest, digestOf, formOf, RosterEntries, type RosterEntry } from './roster-entry.js';

type Fact<Type extends string, Data extends object> = { readonly type: `roster.${Type}.v1`; readonly data: Data };

/** D111: what the clock showed at the beginning of an enrollment, if the roster's time was ahead of it. */
interface Begun {
  readonly begunAt?: Instant;
}

/** Everything that a process needs to complete the enrollment after a crash between the two streams. */
export interface RosterAdmission extends Begun {
  readonly creatorId: CreatorId;
  readonly agencyId: AgencyId;
  readonly epoch: number;
  readonly via: 'link' | 'invitation' | 'import';
  readonly userId: UserId | null;
  /** The revision of its stream at the DELETE that ended its refused enrollment, if there was one (D25). */
  readonly endedAtRevision?: Revision;
  readonly personal: {
    readonly externalId: string;
    readonly fingerprint: string | null;
    readonly submitted: { readonly identity: Identity; readonly invitee: Invitee | null } | null;
  };
}

/** Why an enrollment no longer counts (D31). */
export type SeatReleaseReason = 'failed' | 'cancelled' | 'detached' | 'transferred';

export type RosterEvent =
  | Fact<'creatorAdmitted', RosterAdmission>
  | Fact<'externalIdReplaced', RosterAdmission>
  | Fact<'nativeUserLinked', { creatorId: CreatorId; userId: UserId }>
  /** The user that accepted the creator's invitation already is another creator, and remains that one (D74). */
  | Fact<'inviteeDetached', { creatorId: CreatorId; userId: UserId; keptBy: CreatorId }>
  | Fact<'creatorReleased', { creatorId: CreatorId; reason: SeatReleaseReason }>
  /** D72: keyed hashes of all external ids of the creator, and of the fingerprint of its enrollment. */
  | Fact<'creatorErased', { creatorId: CreatorId; externalIds: readonly string[]; fingerprint: string | null }>
  | Fact<'seatReservedAgain', { creatorId: CreatorId }>
  | Fact<'enrollmentRetried', Begun & { creatorId: CreatorId; revision: Revision }>;

/** Logs of builds up to 0.8 have the types on the left. */
export const rosterUpcasters = renamedTypes<RosterEvent['type']>({
  'roster.creatorTriedAgain.v1': 'roster.enrollmentRetried.v1',
  'roster.creatorReadmitted.v1': 'roster.seatReservedAgain.v1',
});

export interface Roster {
  readonly creators: RosterEntries;
  /** An external id is never given to another creator (D25). */
  readonly byExternalId: CompactMap<Digest, CreatorId>;
  readonly byUser: CompactMap<UserId, CreatorId>;
  readonly counted: number;
  /** D88: when the enrollments within 24 hours before the latest one began, including each retry after a refusal. */
  readonly begun: List<Instant>;
  /** D72: by the hash of an external id, the hash of the request that enrolled its creator, null for an imported one. */
  readonly erased: PersistentMap<string, string | null>;
}

export const rosterDecider: Decider<Roster, RosterEvent> = {
  category: 'roster',
  isNeededOften: true,
  initial: {
    creators: RosterEntries.NONE,
    byExternalId: CompactMap.empty(),
    byUser: CompactMap.empty(),
    counted: 0,
    begun: List(),
    erased: PersistentMap(),
  },
  evolve: (state, event, at) => {
    const { creatorId } = event.data;
    const entry = state.creators.get(creatorId);
    switch (event.type) {
      case 'roster.creatorAdmitted.v1':
      case 'roster.externalIdReplaced.v1': {
        const { via, userId, endedAtRevision = NO_EVENTS, personal, begunAt = at } = event.data;
        const { externalId, fingerprint } = personal;
        const counted = via !== 'import';
        const begun = counted ? begin(state, begunAt) : state;
        const byExternalId = begun.byExternalId.set(digestOf(externalId), creatorId);
        return put(
          { ...begun, byExternalId },
          {
            creatorId,
            externalId: formOf(externalId),
            fingerprint: fingerprint === null ? null : digestOf(fingerprint),
            userId,
            counted,
            isDetached: false,
            isErased: false,
            retriedAtRevision: endedAtRevision,
          },
        );
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
        return entry
          ? put(begin(state, event.data.begunAt ?? at), {
              ...entry,
              counted: true,
              retriedAtRevision: event.data.revision,
            })
          : state;
      default:
        return unknownEvent(event, state);
    }
  },
  whenClockIsBehind: (event, clock) => {
    switch (event.type) {
      case 'roster.creatorAdmitted.v1':
      case 'roster.externalIdReplaced.v1':
        return { ...event, data: { ...event.data, begunAt: clock } };
      case 'roster.enrollmentRetried.v1':
        return { ...event, data: { ...event.data, begunAt: clock } };
      default:
        return event;
    }
  },
};

/** The same, whether or not the texts were readable when the roster was folded. */
const withoutTexts = (
  state: Roster,
  entry: RosterEntry,
  { externalIds, fingerprint }: { readonly externalIds: readonly string[]; readonly fingerprint: string | null },
): Roster => ({
  ...state,
  creators: state.creators.set({
    ...entry,
    externalId: 'erased',
    fingerprint: entry.fingerprint === null ? null : digestOf(ERASED),
    isErased: true,
  }),
  byExternalId: state.byExternalId.without(entry.creatorId),
  erased: externalIds.reduce((erased, externalId) => erased.set(externalId, fingerprint), state.erased),
});

const begin = (state: Roster, at: Instant): Roster => {
  let { begun } = state;
  // D111: a time that lies ahead counts as now.
  if ((begun.last() ?? at) > at + MAX_CLOCK_SKEW) begun = begun.map((instant) => Math.min(instant, at));
  while (at - (begun.first() ?? at) >= DAY) begun = begun.shift();
  return { ...state, begun: begun.push(at) };
};

const put = (state: Roster, entry: RosterEntry): Roster => ({
  ...state,
  creators: state.creators.set(entry),
  byUser: entry.userId === null ? state.byUser : state.byUser.set(entry.userId, entry.creatorId),
  counted: state.counted + Number(entry.counted) - Number(state.creators.get(entry.creatorId)?.counted ?? false),
});
