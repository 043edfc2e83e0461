import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CommandContext, Instant } from '#kernel';
import { type ProtectionChange, startMetering } from '../domain/usage-meter.js';
import { UsageMeterRepository } from './usage-meter.repository.js';

/** Begins the creator's interval when its protection was activated (D44). A repeat changes nothing. */
export class StartMetering extends Command<void> {
  constructor(
    readonly change: ProtectionChange,
    readonly activatedAt: Instant,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(StartMetering)
export class StartMeteringHandler implements ICommandHandler<StartMetering> {
  constructor(private readonly meters: UsageMeterRepository) {}

  async execute({ change, activatedAt, context }: StartMetering): Promise<void> {
    await this.meters.update(change.creatorId, context, (meter) => startMetering(meter, change, activatedAt));
  }
}
