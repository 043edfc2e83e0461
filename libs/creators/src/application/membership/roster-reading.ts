import { Injectable } from '@nestjs/common';
import { BulkPace } from '#jobs';
import {
  type AgencyId,
  type CommandContext,
  CommandRunner,
  type CreatorId,
  DomainError,
  type Instant,
  newId,
  PersonalDataUnreadable,
  type Position,
  parseId,
  type UserId,
} from '#kernel';
import type { CreatorEvent } from '../../domain/creator.events.js';
import { type CreatorState, type EnrolledCreator, isAccessible } from '../../domain/creator.state.js';
import { importCreator, rebind } from '../../domain/enrollment/enrollment.js';
import type { RosterEntry } from '../../domain/enrollment/roster-entry.js';
import { admitMembers, automaticExternalId } from '../../domain/enrollment/roster-members.js';
import type { NativeCreator } from '../../domain/native-creator.js';
import { CreatorRepository } from '../creator.repository.js';
import type { AgencyScope } from '../creator-access.js';
import { CreatorPlatform } from '../creator-platform.js';
import { Invitees } from '../enrollment/invitees.js';
import { type LoadedRoster, RosterRepository } from '../enrollment/roster.repository.js';
import type { LoadedCreator } from '../loaded-creator.js';
import { Memberships } from './memberships.js';

/** A page that was recorded, and the roster with all its members. */
export interface RecordedPage {
  /** In the order of the page; also those that the agency cannot see. */
  readonly creators: readonly LoadedCreator[];
  /** Members whose record was left out; null for one that could not even be named (D65). */
  readonly refused: readonly (UserId | null)[];
  /** Members that the worker left out: personal data of theirs cannot be decrypted, so nothing is recorded of them (D71). */
  readonly unreadable: readonly UnreadableMember[];
  readonly nextCursor: UserId | null;
  readonly roster: LoadedRoster;
}

export interface RosterReadingOptions {
  /**
   * Brings what is seen under the present binding (D21): the agency's own reading, which fails where personal data cannot
   * be decrypted.
   */
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

/** The creators that the agency can see. */
export const accessibleCreators = (creators: readonly LoadedCreator[]): EnrolledCreator[] =>
  creators.map(({ state }) => state).filter(isAccessible);

/** Reads the native roster, and gives each member its API creator without activating anything. */
@Injectable()
export class RosterReading {
  constructor(
    private readonly runner: CommandRunner,
    private readonly repository: CreatorRepository,
    private readonly rosters: RosterRepository,
    private readonly invitees: Invitees,
    private readonly platform: CreatorPlatform,
    private readonly memberships: Memberships,
    private readonly pace: BulkPace,
  ) {}

  /**
   * One page in the order of user ids: one outside call; one append on the roster for all new members together, and one
   * on each creator that changed.
   */
  async read(
    scope: AgencyScope,
    page: PageRequest,
    context: CommandContext,
    { rebinding, roster: known, signal }: RosterReadingOptions,
  ): Promise<RecordedPage> {
    const [{ began, askedAt, shown }, loaded] = await Promise.all([
      this.ask(scope.agencyId, page),
      known ?? this.rosters.load(scope.workspaceId),
    ]);
    const { creators: natives, refused, nextCursor } = shown;
    const members = natives.filter(isMember);
    const { roster, begun } = await this.admit(scope, loaded, members, context);
    const sightings = members.map((native) => {
      const entry = roster.state.creators.get(roster.state.byUser.get(native.userId) as CreatorId);
      if (entry === undefined) {
        throw new DomainError('internal_error', {
          cause: new Error(`${native.userId} was admitted, and is not on the roster`),
        });
      }
      this.memberships.confirm(entry.creatorId, askedAt);
      return sightingOf(scope, entry, native, { began, rebinding, isNew: begun.has(entry.creatorId) });
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
      refused: refused.map(({ id }) => id),
      unreadable,
      nextCursor,
      roster,
    };
  }

  /** What the platform shows. `began` is where the log ended before it was asked, at `askedAt`. */
  private async ask(agencyId: AgencyId, page: PageRequest) {
    const began = await this.runner.head();
    const askedAt = this.runner.now();
    return { began, askedAt, shown: await this.platform.listRoster(agencyId, page) };
  }

  /** `begun` are the creators whose ids were made here: of those there is no event. */
  private async admit(
    { agencyId, epoch }: AgencyScope,
    loaded: LoadedRoster,
    natives: readonly NativeCreator[],
    context: CommandContext,
  ): Promise<{ readonly roster: LoadedRoster; readonly begun: ReadonlySet<CreatorId> }> {
    const members = natives.map(({ userId, invitationReference }) => ({
      userId,
      invited: invitationReference === null ? null : (parseId('creator', invitationReference) ?? null),
      newId: newId('creator'),
    }));
    const roster = await this.rosters.update(loaded, context, (current) =>
      admitMembers(current, members, { agencyId, epoch }),
    );
    for (const { invited } of members) {
      if (invited !== null && roster.state.creators.get(invited)?.isDetached)
        await this.invitees.detach(invited, context);
    }
    return { roster, begun: new Set(members.map(({ newId: made }) => made)) };
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
      sightings.map(({ creatorId, isNew }) =>
        isNew ? this.repository.assumeNew(creatorId) : this.repository.load(creatorId),
      ),
    );
    const now = this.runner.now();
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

/** A member as a page of the roster showed it. */
interface Sighting {
  readonly creatorId: CreatorId;
  readonly userId: UserId;
  /** Its id was made for this page. */
  readonly isNew: boolean;
  readonly decide: (state: CreatorState, now: Instant, position: Position) => CreatorEvent[];
}

const sightingOf = (
  scope: AgencyScope,
  { creatorId, fingerprint }: RosterEntry,
  native: NativeCreator,
  { began, rebinding, isNew }: { readonly began: Position; readonly rebinding: boolean; readonly isNew: boolean },
): Sighting => {
  const imported = { creatorId, ...scope, externalId: automaticExternalId(native.userId) };
  return {
    creatorId,
    userId: native.userId,
    isNew,
    decide: (state, _now, position) => {
      // An enrollment is under way that has not come that far, or was cut short: it is more than an import.
      if (state.status === 'unknown' && fingerprint !== null) return [];
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
