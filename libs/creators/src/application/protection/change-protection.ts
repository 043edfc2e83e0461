import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AgencyAccess } from '#agencies';
import { TaskCommand } from '#jobs';
import {
  type CommandContext,
  type CreatorId,
  DomainError,
  type EventLog,
  type Instant,
  isRefusedWith,
  newEventId,
  newestEventsOfStream,
  type Position,
  streamName,
  type TaskOutcome,
} from '#kernel';
import { creatorDecider } from '../../domain/creator.js';
import {
  assertAccessible,
  type CreatorState,
  type EnrolledCreator,
  isAccessible,
  requireWritable,
  type WithUser,
} from '../../domain/creator.state.js';
import {
  abandonOverdueActivation,
  activationOpenUntil,
  isToRelease,
  isUnconfirmed,
  pauseProtection,
  requestActivation,
} from '../../domain/protection/protection.js';
import { CreatorAccess, callForSlot } from '../access/creator-access.js';
import { CreatorCommand, CreatorPorts, type LoadedCreator } from '../access/creator-ports.js';

/** If the outcome is unknown, the same request continues the intent; `SettleSlot` abandons it later (D42). */
export class ActivateProtection extends CreatorCommand {}

@CommandHandler(ActivateProtection)
export class ActivateProtectionHandler implements ICommandHandler<ActivateProtection> {
  constructor(
    private readonly ports: CreatorPorts,
    private readonly creators: CreatorAccess,
  ) {}

  /** Under the lease, so that none of an agency's concurrent requests is answered as overtaken. */
  execute({ creatorId, scope, context }: ActivateProtection): Promise<EnrolledCreator> {
    return this.creators.exclusively(creatorId, scope, async () => {
      const before = await this.creators.forWrite(creatorId, scope, context);
      requireWritable(before.state, scope.epoch);
      // D41: an active creator stays active, regardless of its standing.
      if (before.state.protection.status === 'active') return before.state;
      const seen = await this.creators.refreshed(before, context);
      const { loaded, effect } = await callForSlot(this.ports, seen, context, hasOpenActivation, (state, now) =>
        requestActivation(assertAccessible(state), { activationId: newEventId(), epoch: scope.epoch }, now),
      );
      if (effect?.outcome === 'unknown') throw effect.error;
      if (effect?.outcome === 'refused') return this.refuse(loaded, effect.code, context);
      const creator = assertAccessible(loaded.state);
      // The intent was abandoned during the call.
      if (creator.protection.status !== 'active') throw new DomainError('provider_timeout');
      return creator;
    });
  }

  private async refuse(abandoned: LoadedCreator, code: string, context: CommandContext): Promise<never> {
    if (code === 'not_found') await this.creators.reportMissing(abandoned, context);
    const isKnown = code === 'not_found' || code === 'capacity_reached';
    throw new DomainError(isKnown ? code : 'provider_invalid_response', { cause: code });
  }
}

const hasOpenActivation = (state: CreatorState): state is WithUser =>
  isUnconfirmed(state) && state.slot.activation !== null;

/** Stops the API schedule. The pause is recorded first; then the slot is released, by the worker if it fails here (D42). */
export class PauseProtection extends CreatorCommand {}

@CommandHandler(PauseProtection)
export class PauseProtectionHandler implements ICommandHandler<PauseProtection> {
  constructor(
    private readonly ports: CreatorPorts,
    private readonly creators: CreatorAccess,
  ) {}

  execute({ creatorId, scope, context }: PauseProtection): Promise<EnrolledCreator> {
    return this.creators.exclusively(creatorId, scope, async () => {
      const before = await this.creators.forWrite(creatorId, scope, context);
      requireWritable(before.state, scope.epoch);
      const paused = await this.ports.repository.update(before, context, (state) =>
        pauseProtection(assertAccessible(state), 'api_request'),
      );
      const { loaded, effect } = await callForSlot(this.ports, paused, context, isToRelease);
      const isUnknownThere = effect !== undefined && isRefusedWith(effect, 'not_found');
      const { state } = isUnknownThere ? await this.creators.reportMissing(loaded, context) : loaded;
      // Hidden from now on; the pause itself has been done.
      return isAccessible(state) ? state : assertAccessible(paused.state);
    });
  }
}

/** Few are recorded while a scan waits. */
const FIRST_PAGE = 16;

/** Whether the creator was paused after that position of the log: reads its stream backwards, only to that position. */
export const wasPausedAfter = async (log: EventLog, creatorId: CreatorId, position: Position): Promise<boolean> => {
  const stream = streamName(creatorDecider.category, creatorId);
  for await (const event of newestEventsOfStream(log, stream, FIRST_PAGE)) {
    if (event.position <= position) return false;
    if (event.type === 'creator.protectionPaused.v1') return true;
  }
  return false;
};

/** Brings a slot in line with protection (D42, D77). For a denied agency it occupies none (D19). Rejects on failure. */
export class SettleSlot extends TaskCommand<CreatorId> {}

@CommandHandler(SettleSlot)
export class SettleSlotHandler implements ICommandHandler<SettleSlot> {
  constructor(
    private readonly ports: CreatorPorts,
    private readonly access: AgencyAccess,
  ) {}

  async execute({ subject: creatorId, context }: SettleSlot): Promise<TaskOutcome> {
    const { repository, clock } = this.ports;
    const creator = await repository.update(creatorId, context, (state) =>
      abandonOverdueActivation(state, clock.now()),
    );
    if (!isUnconfirmed(creator.state)) return 'idle';
    const until = await this.notBefore(creator.state);
    if (until !== undefined) return { retryAt: until };
    const { loaded, effect } = await callForSlot(this.ports, creator, context, isUnconfirmed);
    if (!isUnconfirmed(loaded.state)) return 'idle';
    throw effect?.outcome === 'unknown' ? effect.error : new DomainError('provider_unavailable');
  }

  private notBefore(creator: WithUser): Instant | undefined | Promise<Instant | undefined> {
    const openUntil = activationOpenUntil(creator);
    if (openUntil !== undefined || !creator.slot.isWanted) return openUntil;
    return this.access.deniedUntil(creator.agencyId);
  }
}
