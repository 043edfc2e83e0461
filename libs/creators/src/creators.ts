import {
  type CommandContext,
  type CommandRunner,
  type CreatorId,
  DomainError,
  type Instant,
  type Position,
} from '#kernel';
import type { CreatorEvent } from './creator.events.js';
import { creatorDecider } from './creator.js';
import { type CreatorState, type EnrolledCreator, isAccessible, isErased } from './creator.state.js';
import { awaitsInvitation, observeInvitation } from './enrollment.js';
import { observeMissing, observeNative } from './observation.js';
import type { CreatorPlatform, NativeCreator } from './ports.js';
import { linkUser, rosterDecider } from './roster.js';

/** Whose creator is asked for, under which binding. */
export interface AgencyScope {
  readonly agencyId: EnrolledCreator['agencyId'];
  readonly workspaceId: EnrolledCreator['workspaceId'];
  readonly epoch: number;
}

/** How often a creator is read again because others have recorded something meanwhile. */
const READINGS = 3;

/** Finds creators for an agency, and keeps what is known of them in step with the platform. */
export class Creators {
  constructor(
    private readonly runner: CommandRunner,
    private readonly platform: CreatorPlatform,
  ) {}

  decide(
    creatorId: CreatorId,
    context: CommandContext,
    decision: (state: CreatorState, now: Instant, position: Position) => readonly CreatorEvent[],
  ): Promise<CreatorState> {
    return this.runner.run(creatorDecider, creatorId, context, decision).then(({ state }) => state);
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

  /** The creator after one look at the platform (`GET /v1/creators/{id}`). */
  async current(creatorId: CreatorId, scope: AgencyScope, context: CommandContext): Promise<EnrolledCreator> {
    return this.refreshed(await this.ofWorkspace(creatorId, scope), context);
  }

  /** The creator as the platform shows it now; `not_found` when it shows it no more. */
  async refreshed(creator: EnrolledCreator, context: CommandContext): Promise<EnrolledCreator> {
    const state = await this.refresh(creator, context, null);
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
    if (userId === null) return this.refreshInvitation(creator, context);
    for (let reading = 0; reading < READINGS; reading++) {
      const began = await this.place(creatorId);
      const native = await this.platform.getCreator(agencyId, userId);
      const state = await this.recordSeen(creatorId, native, context, { began, synchronisedSince });
      if (state !== undefined) return state;
    }
    return this.load(creatorId);
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
    return state;
  }

  private async refreshInvitation(creator: EnrolledCreator, context: CommandContext): Promise<CreatorState> {
    const { creatorId, agencyId, invitationId } = creator;
    const isUncertain = awaitsInvitation(creator) && creator.enrollment.status === 'uncertain';
    const invitation =
      invitationId !== null
        ? await this.platform.getInvitation(agencyId, invitationId)
        : isUncertain
          ? await this.platform.findInvitation(agencyId, creatorId)
          : undefined;
    if (invitation === undefined) return creator;
    const state = await this.decide(creatorId, context, (current) => observeInvitation(current, invitation));
    if (invitation.userId === null || invitation.status === 'detached') return state;
    return this.resolveOnboarding(creatorId, { ...creator, userId: invitation.userId }, context);
  }

  /** D30: the invitee has a native user; it becomes the creator's once its onboarding is complete. */
  private async resolveOnboarding(
    creatorId: CreatorId,
    {
      agencyId,
      workspaceId,
      userId,
    }: Pick<EnrolledCreator, 'agencyId' | 'workspaceId'> & { userId: NativeCreator['userId'] },
    context: CommandContext,
  ): Promise<CreatorState> {
    const began = await this.place(creatorId);
    const native = await this.platform.getCreator(agencyId, userId);
    if (native === undefined || native.isStaff || !native.onboardingComplete) return this.load(creatorId);
    await this.runner.run(rosterDecider, workspaceId, context, (roster) => linkUser(roster, creatorId, userId));
    return (await this.recordSeen(creatorId, native, context, { began })) ?? this.load(creatorId);
  }
}
