import { Injectable } from '@nestjs/common';
import type { Leases } from '#jobs';
import {
  askAgain,
  type CommandContext,
  type CreatorId,
  type Decision,
  DomainError,
  type Effect,
  ENCRYPTED,
  type Instant,
  isRefusedWith,
  MINUTE,
  PersonalDataUnreadable,
  performEffect,
  type Reading,
} from '#kernel';
import type { CreatorEvent } from '../../domain/creator.events.js';
import { type CreatorState, isAccessible, isErased, type WithUser } from '../../domain/creator.state.js';
import { observeMember, observeMissing } from '../../domain/membership/observation.js';
import { isReappearing, recordSlotCall } from '../../domain/protection/protection.js';
import {
  type AgencyScope,
  CreatorPorts,
  enrolled,
  type FoundCreator,
  isFound,
  type LoadedCreator,
  visible,
} from './creator-ports.js';
import { READINGS, refreshInvitee } from './invitees.js';

export const creatorLease = (creatorId: CreatorId): string => `creator:${creatorId}`;

export const withCreatorLease = <T>(leases: Leases, creatorId: CreatorId, task: () => Promise<T>): Promise<T> =>
  leases.exclusively(creatorLease(creatorId), MINUTE, () => {
    // The last holder may have written.
    askAgain();
    return task();
  });

/** Finds creators and refreshes them from the platform. Methods with a scope reject with `not_found` in another workspace (D9). */
@Injectable()
export class CreatorAccess {
  constructor(private readonly ports: CreatorPorts) {}

  /** For background work and audits: the creator as the log has it. */
  recorded(creatorId: CreatorId): Promise<LoadedCreator> {
    return this.ports.repository.load(creatorId);
  }

  /** The first line of a read of its data: the platform must have shown it within the last minute (D78). */
  async forRead(from: CreatorId | LoadedCreator, scope: AgencyScope, context: CommandContext): Promise<FoundCreator> {
    const { memberships, clock } = this.ports;
    const creator = await this.forWrite(from, scope, context);
    const { creatorId, userId } = creator.state;
    if (userId === null || (await memberships.isConfirmed(creatorId, clock.now()))) return creator;
    return this.refreshed(creator, context);
  }

  /**
   * The first line of a write, before the replay, and of a read that asks the platform for its data itself: refreshes
   * only a missing creator (D43).
   */
  async forWrite(from: CreatorId | LoadedCreator, scope: AgencyScope, context: CommandContext): Promise<FoundCreator> {
    return this.refreshIfMissing(await this.ofWorkspace(from, scope), context);
  }

  /** For gates on eligibility: the creator as the platform shows it now; `not_found` if it no longer does. */
  async refreshed(creator: FoundCreator, context: CommandContext): Promise<FoundCreator> {
    return visible(await reoccupied(this.ports, await this.refresh(creator, context), context));
  }

  refreshIfMissing(creator: FoundCreator, context: CommandContext): FoundCreator | Promise<FoundCreator> {
    return isAccessible(creator.state) ? creator : this.refreshed(creator, context);
  }

  /** Records that the platform knows no such member. */
  reportMissing(
    from: CreatorId | LoadedCreator,
    context: CommandContext,
    synchronizedSince: Instant | null = null,
  ): Promise<LoadedCreator> {
    const synchronization = this.synchronization(synchronizedSince);
    return this.ports.repository.update(from, context, (state) => observeMissing(state, synchronization));
  }

  /** Even while it is missing; `not_found` in another workspace (D9), and once it is erased. */
  async ofWorkspace(from: CreatorId | LoadedCreator, scope: AgencyScope): Promise<FoundCreator> {
    const creator = typeof from === 'string' ? await this.recorded(from) : from;
    if (!belongsTo(scope, creator) || isErased(creator.state)) throw new DomainError('not_found');
    // D71: neither shown nor compared with the platform's record; the key may be restored from a backup.
    if (creator.state.externalId === ENCRYPTED) throw new PersonalDataUnreadable(`${creator.id} cannot be decrypted`);
    return creator;
  }

  /**
   * Runs the task under the creator's lease. `not_found` in another workspace (D9) before the lease is taken: it would delay
   * the requests of that workspace, and each lease leaves a row. A cached state is enough for that, because a creator never
   * changes its workspace; the task loads the creator itself, as the last holder of the lease may have written.
   */
  async exclusively<T>(creatorId: CreatorId, scope: AgencyScope, task: () => Promise<T>): Promise<T> {
    const cached = this.ports.repository.cached(creatorId);
    if (cached === undefined || !belongsTo(scope, cached)) await this.ofWorkspace(creatorId, scope);
    return withCreatorLease(this.ports.leases, creatorId, task);
  }

  /** Reads the creator's user or invitation and records changes; changes nothing outside. */
  async refresh(
    creator: FoundCreator,
    context: CommandContext,
    synchronizedSince: Instant | null = null,
  ): Promise<FoundCreator> {
    const { platform, memberships, repository, clock } = this.ports;
    const { creatorId, agencyId, userId } = creator.state;
    if (userId === null) return enrolled(await refreshInvitee(this.ports, creator, context));
    let latest = creator;
    for (let reading = 0; reading < READINGS; reading++) {
      const askedAt = clock.now();
      const native = await platform.getCreator(agencyId, userId);
      if (native !== undefined && !native.isStaff) memberships.confirm(creatorId, askedAt);
      const synchronization = this.synchronization(synchronizedSince);
      const seen = await repository.updateIfUnchanged(latest, context, (state) =>
        observeMember(state, native, synchronization),
      );
      latest = enrolled(seen.loaded);
      if (!seen.isOvertaken) break;
    }
    return latest;
  }

  private synchronization(began: Instant | null): Reading | null {
    return began === null ? null : { began, now: this.ports.clock.now() };
  }
}

const belongsTo = ({ workspaceId }: AgencyScope, creator: LoadedCreator): creator is FoundCreator =>
  isFound(creator) && creator.state.workspaceId === workspaceId;

/**
 * Requests the wanted slot, if `isDue`, and records the answer; without a call it has no effect. Waits for no lease and
 * no other call, because a late call changes nothing (D90). A stale fence is raised, and the call repeated once.
 */
export const callForSlot = async (
  { repository, platform }: CreatorPorts,
  creator: LoadedCreator,
  context: CommandContext,
  isDue: (state: CreatorState) => state is WithUser,
  intent?: Decision<CreatorState, CreatorEvent>,
): Promise<{ readonly loaded: LoadedCreator; readonly effect: Effect<void> | undefined }> => {
  const call = (state: CreatorState) => {
    if (!isDue(state)) return undefined;
    const { agencyId, userId, slot } = state;
    return slot.isWanted
      ? platform.occupySlot(agencyId, userId, slot.fence)
      : platform.releaseSlot(agencyId, userId, slot.fence);
  };
  const attempt = (target: LoadedCreator) =>
    performEffect(repository, target, context, { ...(intent && { intent }), call, outcome: recordSlotCall });
  const first = await attempt(creator);
  const isRaised = first.loaded.events.some(({ type }) => type === 'creator.slotFenceRaised.v1');
  const { loaded, effect } = isRaised ? await attempt(first.loaded) : first;
  // Another change has overtaken this one, or the platform keeps raising the fence: the same request decides again.
  const isStale = effect !== undefined && isRefusedWith(effect, 'stale_fence');
  return { loaded, effect: isStale ? { outcome: 'unknown', error: new DomainError('provider_timeout') } : effect };
};

/** Occupies the slot of an active creator that is seen again. An unknown outcome is 503 or 504; the worker settles it (D77). */
export const reoccupied = async (
  ports: CreatorPorts,
  creator: LoadedCreator,
  context: CommandContext,
): Promise<LoadedCreator> => {
  if (!isReappearing(creator.state)) return creator;
  const { loaded, effect } = await callForSlot(ports, creator, context, isReappearing);
  if (effect?.outcome !== 'unknown') return loaded;
  // An answer that cannot be read says no more than no answer.
  if (effect.error.code !== 'provider_invalid_response') throw effect.error;
  throw new DomainError('provider_unavailable', { cause: effect.error });
};
