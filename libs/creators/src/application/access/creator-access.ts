import { Injectable } from '@nestjs/common';
import { Leases } from '#jobs';
import {
  Clock,
  type CommandContext,
  type CreatorId,
  DomainError,
  ENCRYPTED,
  holds,
  type Instant,
  PersonalDataUnreadable,
} from '#kernel';
import { type CreatorState, type EnrolledCreator, isAccessible, isErased } from '../../domain/creator.state.js';
import { observeMember, observeMissing } from '../../domain/membership/observation.js';
import { CreatorRepository } from './creator.repository.js';
import { withCreatorLease } from './creator-lease.js';
import { CreatorPlatform } from './creator-platform.js';
import { Invitees, READINGS } from './invitees.js';
import { type FoundCreator, isFound, type LoadedCreator } from './loaded-creator.js';
import { Memberships } from './memberships.js';
import { SlotCalls } from './slot-calls.js';

/** Whose creator is asked for, under which binding. */
export interface AgencyScope {
  readonly agencyId: EnrolledCreator['agencyId'];
  readonly workspaceId: EnrolledCreator['workspaceId'];
  readonly epoch: number;
}

/** Finds creators for an agency, and keeps what is known of them in step with the platform. */
@Injectable()
export class CreatorAccess {
  constructor(
    private readonly repository: CreatorRepository,
    private readonly invitees: Invitees,
    private readonly platform: CreatorPlatform,
    private readonly slots: SlotCalls,
    private readonly memberships: Memberships,
    private readonly leases: Leases,
    private readonly clock: Clock,
  ) {}

  find(creatorId: CreatorId): Promise<LoadedCreator> {
    return this.repository.load(creatorId);
  }

  async load(creatorId: CreatorId): Promise<CreatorState> {
    return (await this.find(creatorId)).state;
  }

  /** The creator as it is known, also while it is missing; `not_found` in another workspace (D9), and once it is erased. */
  async ofWorkspace(from: CreatorId | LoadedCreator, scope: AgencyScope): Promise<FoundCreator> {
    const creator = typeof from === 'string' ? await this.find(from) : from;
    if (!belongsTo(scope, creator)) throw new DomainError('not_found');
    if (isErased(creator.state)) throw new DomainError('not_found');
    // D71: neither shown nor compared with what the platform shows; the key may come back with a backup.
    if (creator.state.externalId === ENCRYPTED) throw new PersonalDataUnreadable(`${creator.id} cannot be decrypted`);
    return creator;
  }

  /**
   * Runs the task under the creator's lease. `not_found` in another workspace (D9) before the lease is taken: it would delay
   * the requests of that workspace, and each lease leaves a row. A cached state is enough for that, because a creator never
   * changes its workspace; the task loads the creator itself, as the last holder of the lease may have written.
   */
  async exclusively<T>(creatorId: CreatorId, scope: AgencyScope, task: () => Promise<T>): Promise<T> {
    const cached = this.repository.cached(creatorId);
    if (cached === undefined || !belongsTo(scope, cached)) await this.ofWorkspace(creatorId, scope);
    return withCreatorLease(this.leases, creatorId, task);
  }

  /**
   * The creator, if this agency can see it, otherwise `not_found` (D9). One that was missing is looked for again, so that
   * a single wrong 404 hides nobody for long (D43).
   */
  async accessible(
    from: CreatorId | LoadedCreator,
    scope: AgencyScope,
    context: CommandContext,
  ): Promise<FoundCreator> {
    return this.seenAgain(await this.ofWorkspace(from, scope), context);
  }

  /** The same for a read of its data: the platform has to have confirmed its membership within the last minute (D78). */
  async confirmedMember(
    from: CreatorId | LoadedCreator,
    scope: AgencyScope,
    context: CommandContext,
  ): Promise<FoundCreator> {
    const creator = await this.accessible(from, scope, context);
    const { creatorId, userId } = creator.state;
    if (userId === null || (await this.memberships.isConfirmed(creatorId, this.clock.now()))) return creator;
    return this.observe(creator, context);
  }

  /** As it was loaded, if it can be seen; otherwise as the platform shows it now. */
  seenAgain(creator: FoundCreator, context: CommandContext): FoundCreator | Promise<FoundCreator> {
    return isAccessible(creator.state) ? creator : this.observe(creator, context);
  }

  /** The creator as the platform shows it now; `not_found` when it shows it no more. */
  async observe(creator: FoundCreator, context: CommandContext): Promise<FoundCreator> {
    const seen = await this.slots.reoccupied(await this.refresh(creator, context, null), context);
    if (!holds(seen, isAccessible)) throw new DomainError('not_found');
    return seen;
  }

  /** Reads the creator's user or invitation and records what changed; changes nothing outside. */
  async refresh(
    creator: FoundCreator,
    context: CommandContext,
    synchronizedSince: Instant | null,
  ): Promise<LoadedCreator> {
    const { creatorId, agencyId, userId } = creator.state;
    if (userId === null) return this.invitees.refresh(creator, context);
    let latest: LoadedCreator = creator;
    for (let reading = 0; reading < READINGS; reading++) {
      const askedAt = this.clock.now();
      const native = await this.platform.getCreator(agencyId, userId);
      if (native !== undefined && !native.isStaff) this.memberships.confirm(creatorId, askedAt);
      const seen = await this.repository.updateUnlessOvertaken(latest, context, (state) =>
        observeMember(state, native, synchronizedSince),
      );
      if (!seen.isOvertaken) return seen.loaded;
      latest = seen.loaded;
    }
    return latest;
  }

  /** Records that the platform knows no such member. */
  reportMissing(
    from: CreatorId | LoadedCreator,
    context: CommandContext,
    synchronizedSince: Instant | null = null,
  ): Promise<LoadedCreator> {
    return this.repository.update(from, context, (state) => observeMissing(state, synchronizedSince));
  }
}

const belongsTo = ({ workspaceId }: AgencyScope, creator: LoadedCreator): creator is FoundCreator =>
  isFound(creator) && creator.state.workspaceId === workspaceId;
