import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CommandContext, Instant } from '#kernel';
import { type ProtectionChange, stopMetering } from '../domain/usage-meter.js';
import { UsageMeterRepository } from './usage-meter.repository.js';

/** Ends the creator's interval when its protection was paused (D44). A repeat changes nothing. */
export class StopMetering extends Command<void> {
  constructor(
    readonly change: ProtectionChange,
    readonly pausedAt: Instant,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(StopMetering)
export class StopMeteringHandler implements ICommandHandler<StopMetering> {
  constructor(private readonly meters: UsageMeterRepository) {}

  async execute({ change, pausedAt, context }: StopMetering): Promise<void> {
    await this.meters.update(change.creatorId, context, (meter) => stopMetering(meter, change, pausedAt));
  }
}
