import { List, Map as PersistentMap } from 'immutable';
import {
  type CreatorId,
  DAY,
  type Decider,
  ERASED,
  type Instant,
  NO_EVENTS,
  type Revision,
  type UserId,
  unknownEvent,
} from '#kernel';
import type { RosterEvent } from './roster.events.js';

export interface RosterEntry {
  readonly creatorId: CreatorId;
  readonly externalId: string;
  /** Of the request that enrolled it; null for one that was only imported. */
  readonly fingerprint: string | null;
  readonly userId: UserId | null;
  /** D31: enrolled through POST, and not failed, cancelled, detached or transferred. */
  readonly counted: boolean;
  /** D74: the user of another creator accepted its invitation, so it never gets a user. */
  readonly isDetached: boolean;
  /** D72: its personal data was destroyed, and only hashes are kept. */
  readonly isErased: boolean;
  /** The revision of its stream when the latest try after a refusal began. An event up to there belongs to an earlier one. */
  readonly retriedAtRevision: Revision;
}

export interface Roster {
  readonly creators: PersistentMap<CreatorId, RosterEntry>;
  readonly byExternalId: PersistentMap<string, CreatorId>;
  readonly byUser: PersistentMap<UserId, CreatorId>;
  readonly counted: number;
  /** D88: when the enrollments of the last 24 hours before the latest of them began, each retry after a refusal too. */
  readonly begun: List<Instant>;
  /** D72: by the hash of an external id, the hash of the request that enrolled its creator, null for an imported one. */
  readonly erased: PersistentMap<string, string | null>;
}

export const rosterDecider: Decider<Roster, RosterEvent> = {
  category: 'roster',
  isNeededOften: true,
  initial: {
    creators: PersistentMap(),
    byExternalId: PersistentMap(),
    byUser: PersistentMap(),
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
        const { via, userId, endedAtRevision = NO_EVENTS, personal } = event.data;
        const { externalId, fingerprint } = personal;
        const counted = via !== 'import';
        const entered = { creatorId, externalId, fingerprint, userId, counted };
        return put(counted ? begin(state, at) : state, {
          ...entered,
          isDetached: false,
          isErased: false,
          retriedAtRevision: endedAtRevision,
        });
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
          ? put(begin(state, at), { ...entry, counted: true, retriedAtRevision: event.data.revision })
          : state;
      default:
        return unknownEvent(event, state);
    }
  },
};

/** The same, whether or not the texts could be read when the roster was folded. */
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

const begin = (state: Roster, at: Instant): Roster => {
  let { begun } = state;
  while (at - (begun.first() ?? at) >= DAY) begun = begun.shift();
  return { ...state, begun: begun.push(at) };
};

/** An external id is never given to another creator (D25). */
const put = (state: Roster, entry: RosterEntry): Roster => ({
  ...state,
  creators: state.creators.set(entry.creatorId, entry),
  byExternalId: entry.isErased ? state.byExternalId : state.byExternalId.set(entry.externalId, entry.creatorId),
  byUser: entry.userId === null ? state.byUser : state.byUser.set(entry.userId, entry.creatorId),
  counted: state.counted + Number(entry.counted) - Number(state.creators.get(entry.creatorId)?.counted ?? false),
});
