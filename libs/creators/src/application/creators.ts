import { Injectable } from '@nestjs/common';
import { Leases } from '#jobs';
import {
  type CommandContext,
  CommandRunner,
  type CreatorId,
  DomainError,
  ENCRYPTED,
  type Instant,
  PersonalDataUnreadable,
  type Position,
} from '#kernel';
import type { CreatorEvent } from '../domain/creator.events.js';
import { creatorDecider } from '../domain/creator.js';
import { type CreatorState, type EnrolledCreator, isAccessible, isErased } from '../domain/creator.state.js';
import { observeMissing, observeNative } from '../domain/membership/observation.js';
import { isReappearing, reoccupySlot } from '../domain/protection/slot-reoccupation.js';
import { withCreatorLease } from './creator-lease.js';
import { Invitees, READINGS } from './invitees.js';
import { Memberships } from './memberships.js';
import { CreatorPlatform, type NativeCreator } from './ports.js';

/** Whose creator is asked for, under which binding. */
export interface AgencyScope {
  readonly agencyId: EnrolledCreator['agencyId'];
  readonly workspaceId: EnrolledCreator['workspaceId'];
  readonly epoch: number;
}

/** Finds creators for an agency, and keeps what is known of them in step with the platform. */
@Injectable()
export class Creators {
  readonly invitees: Invitees;

  constructor(
    private readonly runner: CommandRunner,
    private readonly platform: CreatorPlatform,
    private readonly memberships: Memberships,
    private readonly leases: Leases,
  ) {
    this.invitees = new Invitees(runner, platform, this);
  }

  decide(
    creatorId: CreatorId,
    context: CommandContext,
    decision: (state: CreatorState, now: Instant, position: Position) => readonly CreatorEvent[],
  ): Promise<CreatorState> {
    return this.runner.run(creatorDecider, creatorId, context, decision).then(({ state }) => state);
  }

  now(): Instant {
    return this.runner.now();
  }

  async load(creatorId: CreatorId): Promise<CreatorState> {
    return (await this.runner.load(creatorDecider, creatorId)).state;
  }

  async loadAll(creatorIds: Iterable<CreatorId>): Promise<ReadonlyMap<CreatorId, CreatorState>> {
    const ids = [...creatorIds];
    const folds = await this.runner.loadAll(creatorDecider, ids);
    return new Map(folds.map(({ state }, n) => [ids[n] as CreatorId, state]));
  }

  /**
   * The creator, if this agency can see it, else `not_found` (D9). One that was missing is looked for again, so that a
   * single wrong 404 hides nobody for long (D43).
   */
  async accessible(creatorId: CreatorId, scope: AgencyScope, context: CommandContext): Promise<EnrolledCreator> {
    const state = await this.ofWorkspace(creatorId, scope);
    return isAccessible(state) ? state : this.refreshed(state, context);
  }

  /** The same for a read of its data: the platform has to have confirmed its membership within the last minute (D78). */
  async confirmedMember(creatorId: CreatorId, scope: AgencyScope, context: CommandContext): Promise<EnrolledCreator> {
    const creator = await this.accessible(creatorId, scope, context);
    if (creator.userId === null || (await this.memberships.isConfirmed(creatorId, this.runner.now()))) return creator;
    return this.refreshed(creator, context);
  }

  /** The creator after one look at the platform (`GET /v1/creators/{id}`). */
  async current(creatorId: CreatorId, scope: AgencyScope, context: CommandContext): Promise<EnrolledCreator> {
    return this.refreshed(await this.ofWorkspace(creatorId, scope), context);
  }

  /** The creator as the platform shows it now; `not_found` when it shows it no more. */
  async refreshed(creator: EnrolledCreator, context: CommandContext): Promise<EnrolledCreator> {
    const state = await this.withSlot(await this.refresh(creator, context, null), context);
    if (!isAccessible(state)) throw new DomainError('not_found');
    return state;
  }

  /** Reads the creator's user or invitation and records what changed; changes nothing outside. */
  async refresh(
    creator: EnrolledCreator,
    context: CommandContext,
    synchronisedSince: Instant | null,
  ): Promise<CreatorState> {
    const { creatorId, agencyId, userId } = creator;
    if (userId === null) return this.invitees.refresh(creator, context);
    for (let reading = 0; reading < READINGS; reading++) {
      const began = await this.place(creatorId);
      const askedAt = this.runner.now();
      const native = await this.platform.getCreator(agencyId, userId);
      if (native !== undefined && !native.isStaff) this.memberships.confirm(creatorId, askedAt);
      const state = await this.recordSeen(creatorId, native, context, { began, synchronisedSince });
      if (state !== undefined) return state;
    }
    return this.load(creatorId);
  }

  /**
   * The creator, once the slot that it lost while it was missing is occupied again; an unknown outcome is 503 or 504, which
   * the worker settles (D77).
   */
  withSlot(state: CreatorState, context: CommandContext): Promise<CreatorState> {
    if (!isReappearing(state)) return Promise.resolve(state);
    const { creatorId } = state;
    return withCreatorLease(this.leases, creatorId, async () => {
      const current = await this.load(creatorId);
      if (!isReappearing(current)) return current;
      return reoccupySlot(current, this.platform, (decision) => this.decide(creatorId, context, decision));
    });
  }

  /** Where the creator's stream ends: what is read from now on is no older than what it tells. */
  async place(creatorId: CreatorId): Promise<Position> {
    return (await this.runner.load(creatorDecider, creatorId)).position;
  }

  /**
   * Records a member as the platform showed it, or that it showed none, to a reading or a write that began at that
   * place; undefined where something has been recorded since, which may be newer.
   */
  async recordSeen(
    creatorId: CreatorId,
    native: NativeCreator | undefined,
    context: CommandContext,
    { began, synchronisedSince = null }: { readonly began: Position; readonly synchronisedSince?: Instant | null },
  ): Promise<CreatorState | undefined> {
    let isOvertaken = false;
    const after = await this.decide(creatorId, context, (state, _now, position) => {
      isOvertaken = position > began;
      if (isOvertaken) return [];
      if (native === undefined || native.isStaff) return observeMissing(state, synchronisedSince);
      return state.status === 'known' ? observeNative(state, native) : [];
    });
    return isOvertaken ? undefined : after;
  }

  /** Records that the platform knows no such member. */
  recordMissing(
    creatorId: CreatorId,
    context: CommandContext,
    synchronisedSince: Instant | null = null,
  ): Promise<CreatorState> {
    return this.decide(creatorId, context, (state) => observeMissing(state, synchronisedSince));
  }

  private async ofWorkspace(creatorId: CreatorId, { workspaceId }: AgencyScope): Promise<EnrolledCreator> {
    const state = await this.load(creatorId);
    if (state.status === 'unknown' || state.workspaceId !== workspaceId) throw new DomainError('not_found');
    if (isErased(state)) throw new DomainError('not_found');
    // D71: neither shown nor compared with what the platform shows; the key may come back with a backup.
    if (state.externalId === ENCRYPTED) throw new PersonalDataUnreadable(`${creatorId} cannot be decrypted`);
    return state;
  }
}
