import { Injectable } from '@nestjs/common';
import { Leases } from '#jobs';
import {
  Clock,
  type CommandContext,
  type CreatorId,
  DomainError,
  ENCRYPTED,
  type Instant,
  PersonalDataUnreadable,
  type Reading,
} from '#kernel';
import { isAccessible, isErased } from '../../domain/creator.state.js';
import { observeMember, observeMissing } from '../../domain/membership/observation.js';
import { CreatorRepository } from './creator.repository.js';
import { type AgencyScope, CreatorAccess } from './creator-access.js';
import { withCreatorLease } from './creator-lease.js';
import { CreatorPlatform } from './creator-platform.js';
import { Invitees, READINGS } from './invitees.js';
import { enrolled, type FoundCreator, isFound, type LoadedCreator, visible } from './loaded-creator.js';
import { Memberships } from './memberships.js';
import { SlotCalls } from './slot-calls.js';

@Injectable()
export class ObservedCreators extends CreatorAccess {
  constructor(
    private readonly repository: CreatorRepository,
    private readonly invitees: Invitees,
    private readonly platform: CreatorPlatform,
    private readonly slots: SlotCalls,
    private readonly memberships: Memberships,
    private readonly leases: Leases,
    private readonly clock: Clock,
  ) {
    super();
  }

  recorded(creatorId: CreatorId): Promise<LoadedCreator> {
    return this.repository.load(creatorId);
  }

  async forRead(from: CreatorId | LoadedCreator, scope: AgencyScope, context: CommandContext): Promise<FoundCreator> {
    const creator = await this.forWrite(from, scope, context);
    const { creatorId, userId } = creator.state;
    if (userId === null || (await this.memberships.isConfirmed(creatorId, this.clock.now()))) return creator;
    return this.current(creator, context);
  }

  async forWrite(from: CreatorId | LoadedCreator, scope: AgencyScope, context: CommandContext): Promise<FoundCreator> {
    return this.seenAgain(await this.ofWorkspace(from, scope), context);
  }

  async current(creator: FoundCreator, context: CommandContext): Promise<FoundCreator> {
    return visible(await this.slots.reoccupied(await this.refresh(creator, context), context));
  }

  reportMissing(
    from: CreatorId | LoadedCreator,
    context: CommandContext,
    synchronizedSince: Instant | null = null,
  ): Promise<LoadedCreator> {
    const synchronization = this.synchronization(synchronizedSince);
    return this.repository.update(from, context, (state) => observeMissing(state, synchronization));
  }

  /** Also while it is missing; `not_found` in another workspace (D9), and once it is erased. */
  async ofWorkspace(from: CreatorId | LoadedCreator, scope: AgencyScope): Promise<FoundCreator> {
    const creator = typeof from === 'string' ? await this.recorded(from) : from;
    if (!belongsTo(scope, creator) || isErased(creator.state)) throw new DomainError('not_found');
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

  seenAgain(creator: FoundCreator, context: CommandContext): FoundCreator | Promise<FoundCreator> {
    return isAccessible(creator.state) ? creator : this.current(creator, context);
  }

  /** Reads the creator's user or invitation and records what changed; changes nothing outside. */
  async refresh(
    creator: FoundCreator,
    context: CommandContext,
    synchronizedSince: Instant | null = null,
  ): Promise<FoundCreator> {
    const { creatorId, agencyId, userId } = creator.state;
    if (userId === null) return enrolled(await this.invitees.refresh(creator, context));
    let latest = creator;
    for (let reading = 0; reading < READINGS; reading++) {
      const askedAt = this.clock.now();
      const native = await this.platform.getCreator(agencyId, userId);
      if (native !== undefined && !native.isStaff) this.memberships.confirm(creatorId, askedAt);
      const synchronization = this.synchronization(synchronizedSince);
      const seen = await this.repository.updateIfUnchanged(latest, context, (state) =>
        observeMember(state, native, synchronization),
      );
      latest = enrolled(seen.loaded);
      if (!seen.isOvertaken) break;
    }
    return latest;
  }

  private synchronization(began: Instant | null): Reading | null {
    return began === null ? null : { began, now: this.clock.now() };
  }
}

const belongsTo = ({ workspaceId }: AgencyScope, creator: LoadedCreator): creator is FoundCreator =>
  isFound(creator) && creator.state.workspaceId === workspaceId;
