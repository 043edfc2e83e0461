import { Injectable } from '@nestjs/common';
import { Backpressure } from '#jobs';
import {
  type AgencyId,
  Clock,
  type CommandContext,
  type CreatorId,
  EventLog,
  type Instant,
  newId,
  PersonalDataUnreadable,
  type Position,
  parseId,
  type RefusedRecord,
  type UserId,
} from '#kernel';
import type { CreatorEvent } from '../../domain/creator.events.js';
import { type CreatorState, type EnrolledCreator, isAccessible } from '../../domain/creator.state.js';
import { importCreator, rebind } from '../../domain/enrollment/enrollment.js';
import { admitMembers, automaticExternalId } from '../../domain/enrollment/roster-members.js';
import type { NativeCreator } from '../../domain/native-creator.js';
import { CreatorRepository } from '../access/creator.repository.js';
import type { AgencyScope } from '../access/creator-access.js';
import { CreatorPlatform } from '../access/creator-platform.js';
import { Invitees } from '../access/invitees.js';
import type { LoadedCreator } from '../access/loaded-creator.js';
import { Memberships } from '../access/memberships.js';
import { type LoadedRoster, RosterRepository } from '../access/roster.repository.js';
import { KnownMembers } from './known-members.js';

/** A page that was recorded, and the roster with all its members. */
export interface RecordedPage {
  /** In the order of the page; also those that the agency cannot see. */
  readonly creators: readonly LoadedCreator[];
  /** Members whose record was left out; without an id for one that could not even be named (D65). */
  readonly refused: readonly RefusedRecord<UserId>[];
  /** Members that the worker left out: personal data of theirs cannot be decrypted, so nothing is recorded of them (D71). */
  readonly unreadable: readonly UnreadableMember[];
  readonly nextCursor: UserId | null;
  readonly roster: LoadedRoster | undefined;
}

export interface RosterReadingOptions {
  /** Brings what is seen under the present binding (D21): the agency's own reading, which fails for unreadable data. */
  readonly rebinding: boolean;
  /** As the page before returned it: it is not read again. */
  readonly roster?: LoadedRoster | undefined;
  readonly signal?: AbortSignal;
}

export interface PageRequest {
  readonly limit: number;
  readonly after?: UserId;
}

export interface UnreadableMember {
  readonly creatorId: CreatorId;
  readonly userId: UserId;
}

export const accessibleCreators = (creators: readonly LoadedCreator[]): EnrolledCreator[] =>
  creators.map(({ state }) => state).filter(isAccessible);

/** Reads the native roster, and gives each member its API creator without activating anything. */
@Injectable()
export class RosterReading {
  constructor(
    private readonly log: EventLog,
    private readonly clock: Clock,
    private readonly repository: CreatorRepository,
    private readonly rosters: RosterRepository,
    private readonly known: KnownMembers,
    private readonly invitees: Invitees,
    private readonly platform: CreatorPlatform,
    private readonly memberships: Memberships,
    private readonly pace: Backpressure,
  ) {}

  /** One outside call, one append on the roster for all new members, and one on each creator that changed. */
  async read(
    scope: AgencyScope,
    page: PageRequest,
    context: CommandContext,
    { rebinding, roster: before, signal }: RosterReadingOptions,
  ): Promise<RecordedPage> {
    // D88: an agency's own reading does not fold a long roster only to find creators that are known.
    const isLoaded = !rebinding || this.rosters.cached(scope.workspaceId) !== undefined;
    const [{ began, askedAt, shown }, loaded] = await Promise.all([
      this.ask(scope.agencyId, page),
      before ?? (isLoaded ? this.rosters.load(scope.workspaceId) : undefined),
    ]);
    const { creators: natives, refused, nextCursor } = shown;
    const members = natives.filter(isMember);
    const known = loaded === undefined ? await this.known.find(scope.workspaceId, members) : undefined;
    const { roster, entries } =
      known === undefined
        ? await this.admit(scope, loaded, members, context)
        : { roster: loaded, entries: known.map((creator) => ({ creatorId: creator.id, isEnrolled: true, creator })) };
    const sightings = members.map((native, n) => {
      const entry = entries[n];
      if (entry === undefined) throw new Error(`${native.userId} was admitted, and is not on the roster`);
      this.memberships.confirm(entry.creatorId, askedAt);
      return sightingOf(scope, entry, native, { began, rebinding });
    });
    const unreadable: UnreadableMember[] = [];
    const leftOut = ({ creatorId, userId }: Sighting, error: unknown) => {
      // One creator's missing key must not stop the synchronization of the others (D67).
      if (rebinding || !(error instanceof PersonalDataUnreadable)) throw error;
      unreadable.push({ creatorId, userId });
    };
    const creators = await this.record(scope, sightings, context, leftOut, signal);
    const left = new Set(unreadable.map(({ creatorId }) => creatorId));
    return {
      creators: creators.filter(({ id }) => !left.has(id)),
      refused,
      unreadable,
      nextCursor,
      roster,
    };
  }

  /** What the platform shows. `began` is where the log ended before it was asked, at `askedAt`. */
  private async ask(agencyId: AgencyId, page: PageRequest) {
    const began = await this.log.head();
    const askedAt = this.clock.now();
    return { began, askedAt, shown: await this.platform.listRoster(agencyId, page) };
  }

  private async admit(
    { agencyId, workspaceId, epoch }: AgencyScope,
    loaded: LoadedRoster | undefined,
    natives: readonly NativeCreator[],
    context: CommandContext,
  ): Promise<Members> {
    const members = natives.map(({ userId, invitationReference }) => ({
      userId,
      invited: invitationReference === null ? null : (parseId('creator', invitationReference) ?? null),
      newId: newId('creator'),
    }));
    const roster = await this.rosters.update(loaded ?? workspaceId, context, (current) =>
      admitMembers(current, members, { agencyId, epoch }),
    );
    for (const { invited } of members) {
      if (invited !== null && roster.state.creators.get(invited)?.isDetached)
        await this.invitees.detach(invited, context);
    }
    const entries = members.map(({ userId, newId: made }): Member | undefined => {
      const entry = roster.state.creators.get(roster.state.byUser.get(userId) ?? made);
      // Of an id that was made here there is no event.
      const creator = entry?.creatorId === made ? this.repository.assumeNew(made) : undefined;
      return entry && { creatorId: entry.creatorId, isEnrolled: entry.fingerprint !== null, creator };
    });
    return { roster, entries };
  }

  /** Those that changed are appended part by part: a page of a first reading is all new. */
  private async record(
    { agencyId }: AgencyScope,
    sightings: readonly Sighting[],
    context: CommandContext,
    failed: (sighting: Sighting, error: unknown) => void,
    signal: AbortSignal | undefined,
  ): Promise<LoadedCreator[]> {
    const creators = await Promise.all(
      sightings.map(({ creatorId, creator }) => creator ?? this.repository.load(creatorId)),
    );
    const now = this.clock.now();
    const changed = sightings.flatMap((sighting, index) => {
      const creator = creators[index];
      return creator === undefined || sighting.decide(creator.state, now, creator.position).length === 0
        ? []
        : [{ sighting, creator, index }];
    });
    const record = async ({ sighting, creator, index }: (typeof changed)[number]) => {
      try {
        creators[index] = await this.repository.update(creator, context, sighting.decide);
      } catch (error) {
        failed(sighting, error);
      }
    };
    await this.pace.inBatches(agencyId, changed, record, signal);
    return creators;
  }
}

interface Member {
  readonly creatorId: CreatorId;
  /** And not only imported. */
  readonly isEnrolled: boolean;
  /** Undefined until it is loaded. */
  readonly creator: LoadedCreator | undefined;
}

interface Members {
  readonly roster: LoadedRoster | undefined;
  readonly entries: readonly (Member | undefined)[];
}

interface Sighting extends Pick<Member, 'creatorId' | 'creator'> {
  readonly userId: UserId;
  readonly decide: (state: CreatorState, now: Instant, position: Position) => CreatorEvent[];
}

const sightingOf = (
  scope: AgencyScope,
  { creatorId, isEnrolled, creator }: Member,
  native: NativeCreator,
  { began, rebinding }: { readonly began: Position; readonly rebinding: boolean },
): Sighting => {
  const imported = { creatorId, ...scope, externalId: automaticExternalId(native.userId) };
  return {
    creatorId,
    userId: native.userId,
    creator,
    decide: (state, _now, position) => {
      // An enrollment is under way that has not come that far, or was cut short: it is more than an import.
      if (state.status === 'unknown' && isEnrolled) return [];
      return [
        ...(rebinding ? rebind(state, scope.epoch) : []),
        // What has been recorded since the page was asked for may be newer.
        ...(position > began ? [] : importCreator(state, imported, native)),
      ];
    },
  };
};

/** Staff, and invitees before their onboarding, are no members; everybody else in the list is. */
const isMember = ({ isStaff, onboardingComplete, invitationReference }: NativeCreator): boolean =>
  !isStaff && (onboardingComplete || invitationReference === null);
