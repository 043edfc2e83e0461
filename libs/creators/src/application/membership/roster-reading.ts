import { Injectable } from '@nestjs/common';
import { Backpressure } from '#jobs';
import {
  type CommandContext,
  type CreatorId,
  newId,
  PersonalDataUnreadable,
  type Position,
  parseId,
  type RefusedRecord,
  type UserId,
  type WorkspaceId,
} from '#kernel';
import type { CreatorEvent } from '../../domain/creator.events.js';
import { type CreatorState, type EnrolledCreator, isAccessible } from '../../domain/creator.state.js';
import { importCreator, rebind } from '../../domain/enrollment/enrollment.js';
import { admitMembers, automaticExternalId } from '../../domain/enrollment/roster-admission.js';
import type { NativeCreator } from '../../domain/native-records.js';
import { CreatorsOfUsers } from '../../read-models/creators-of-users.js';
import type { LoadedRoster } from '../access/creator.repository.js';
import type { PageRequest } from '../access/creator-platform.js';
import { type AgencyScope, CreatorPorts, type LoadedCreator } from '../access/creator-ports.js';
import { detach, isDetached } from '../access/invitees.js';

/** A page that was recorded, and the roster with all its members. */
export interface RecordedPage {
  /** In the order of the page; also those that the agency cannot see. */
  readonly creators: readonly LoadedCreator[];
  /** Members whose record was left out; without an id if the record has no usable one (D65). */
  readonly refused: readonly RefusedRecord<UserId>[];
  /** Members that the worker left out: their personal data cannot be decrypted, so nothing is recorded (D71). */
  readonly unreadable: readonly Pick<Sighting, 'creatorId' | 'userId'>[];
  readonly nextCursor: UserId | null;
  readonly roster: LoadedRoster | undefined;
}

interface RosterReadingOptions {
  /** Brings creators under the current binding (D21): the agency's own reading, which fails for unreadable data. */
  readonly rebinding: boolean;
  /** As the page before returned it: it is not read again. */
  readonly roster?: LoadedRoster | undefined;
  readonly signal?: AbortSignal;
}

export const accessibleCreators = (creators: readonly LoadedCreator[]): EnrolledCreator[] =>
  creators.map(({ state }) => state).filter(isAccessible);

/** Reads the native roster, and gives each member its API creator without activating anything. */
@Injectable()
export class RosterReading {
  constructor(
    private readonly ports: CreatorPorts,
    private readonly users: CreatorsOfUsers,
    private readonly pace: Backpressure,
  ) {}

  /** One outside call, one append on the roster for all new members, and one on each creator that changed. */
  async read(
    scope: AgencyScope,
    page: PageRequest,
    context: CommandContext,
    { rebinding, roster: before, signal }: RosterReadingOptions,
  ): Promise<RecordedPage> {
    const { rosters, platform, memberships, log, clock } = this.ports;
    // D88: an agency's own reading does not fold a long roster just to find creators that are known.
    const isLoaded = !rebinding || rosters.cached(scope.workspaceId) !== undefined;
    const ask = async () => {
      const began = await log.head();
      const askedAt = clock.now();
      return { began, askedAt, shown: await platform.listRoster(scope.agencyId, page) };
    };
    const [{ began, askedAt, shown }, loaded] = await Promise.all([
      ask(),
      before ?? (isLoaded ? rosters.load(scope.workspaceId) : undefined),
    ]);
    const { creators: natives, refused, nextCursor } = shown;
    const members = natives.filter(isMember);
    const known = loaded === undefined ? await this.knownMembers(scope.workspaceId, members) : undefined;
    const { roster, entries } = known ?? (await this.admit(scope, loaded, members, context));
    const sightings = members.map((native, n) => {
      const entry = entries[n];
      if (entry === undefined) throw new Error(`${native.userId} was admitted, and is not on the roster`);
      memberships.confirm(entry.creatorId, askedAt);
      return sightingOf(scope, entry, native, { began, rebinding });
    });
    const unreadable: Sighting[] = [];
    const leftOut = (sighting: Sighting, error: unknown) => {
      // One creator's missing key must not stop the synchronization of the others (D67).
      if (rebinding || !(error instanceof PersonalDataUnreadable)) throw error;
      unreadable.push(sighting);
    };
    const creators = await this.record(scope, sightings, context, leftOut, signal);
    const left = new Set(unreadable.map(({ creatorId }) => creatorId));
    return { creators: creators.filter(({ id }) => !left.has(id)), refused, unreadable, nextCursor, roster };
  }

  /** Undefined unless the read model knows all members, and their streams confirm it. */
  private async knownMembers(
    workspaceId: WorkspaceId,
    members: readonly NativeCreator[],
  ): Promise<Members | undefined> {
    const userIds = members.map(({ userId }) => userId);
    const found = await this.users.find(workspaceId, userIds);
    const creatorIds = found.filter((creatorId) => creatorId !== undefined);
    if (creatorIds.length < members.length) return undefined;
    const creators = await this.ports.repository.loadAll(creatorIds);
    if (!creators.every((creator, n) => isCreatorOf(creator, members[n], workspaceId))) return undefined;
    const entries = creators.map((creator) => ({ creatorId: creator.id, isEnrolled: true, creator }));
    return { roster: undefined, entries };
  }

  private async admit(
    { agencyId, workspaceId, epoch }: AgencyScope,
    loaded: LoadedRoster | undefined,
    natives: readonly NativeCreator[],
    context: CommandContext,
  ): Promise<Members> {
    const { rosters, repository } = this.ports;
    const members = natives.map(({ userId, invitationReference }) => ({
      userId,
      invited: invitationReference === null ? null : (parseId('creator', invitationReference) ?? null),
      newId: newId('creator'),
    }));
    const roster = await rosters.update(loaded ?? workspaceId, context, (current) =>
      admitMembers(current, members, { agencyId, epoch }),
    );
    for (const { invited } of members) {
      if (invited !== null && isDetached(roster, invited)) await detach(this.ports, invited, context);
    }
    const entries = members.map(({ userId, newId: made }): Member | undefined => {
      const entry = roster.state.creators.get(roster.state.byUser.get(userId) ?? made);
      // An id that was generated here has no event.
      const creator = entry?.creatorId === made ? repository.assumeNew(made) : undefined;
      return entry && { creatorId: entry.creatorId, isEnrolled: entry.fingerprint !== null, creator };
    });
    return { roster, entries };
  }

  /** Creators that changed are appended part by part, because a page of a first reading is all new. */
  private async record(
    { agencyId }: AgencyScope,
    sightings: readonly Sighting[],
    context: CommandContext,
    failed: (sighting: Sighting, error: unknown) => void,
    signal: AbortSignal | undefined,
  ): Promise<LoadedCreator[]> {
    const { repository, clock } = this.ports;
    const creators = await Promise.all(
      sightings.map(({ creatorId, creator }) => creator ?? repository.load(creatorId)),
    );
    const now = clock.now();
    const changed = sightings.flatMap((sighting, index) => {
      const creator = creators[index];
      return creator === undefined || sighting.decide(creator.state, now, creator.position).length === 0
        ? []
        : [{ sighting, creator, index }];
    });
    const record = async ({ sighting, creator, index }: (typeof changed)[number]) => {
      try {
        creators[index] = await repository.update(creator, context, sighting.decide);
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
  /** False if it is only imported. */
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
  readonly decide: (state: CreatorState, now: number, position: Position) => CreatorEvent[];
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
      // An enrollment is under way that has not reached that point, or was interrupted: it is more than an import.
      if (state.status === 'unknown' && isEnrolled) return [];
      return [
        ...(rebinding ? rebind(state, scope.epoch) : []),
        // Events that were recorded after the page was requested may be newer.
        ...(position > began ? [] : importCreator(state, imported, native)),
      ];
    },
  };
};

/** Staff, and invitees before their onboarding, are not members; everybody else in the list is. */
const isMember = ({ isStaff, onboardingComplete, invitationReference }: NativeCreator): boolean =>
  !isStaff && (onboardingComplete || invitationReference === null);

/** Also checks that the user accepted no invitation of another creator, which would have to be detached (D74). */
const isCreatorOf = (
  { id, state }: LoadedCreator,
  member: NativeCreator | undefined,
  workspaceId: WorkspaceId,
): boolean =>
  state.status === 'known' &&
  state.workspaceId === workspaceId &&
  state.userId === member?.userId &&
  (member.invitationReference === null || parseId('creator', member.invitationReference) === id);
