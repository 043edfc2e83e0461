import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CommandContext, Instant } from '#kernel';
import { type ProtectionChange, startMetering, stopMetering } from '../domain/usage-meter.js';
import { UsageMeterRepository } from './usage-meter.repository.js';

/** Begins or ends the creator's interval when its protection was activated or paused (D44). A repeat changes nothing. */
export class MeterProtection extends Command<void> {
  constructor(
    readonly change: ProtectionChange,
    readonly as: 'activated' | 'paused',
    readonly at: Instant,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(MeterProtection)
export class MeterProtectionHandler implements ICommandHandler<MeterProtection> {
  constructor(private readonly meters: UsageMeterRepository) {}

  async execute({ change, as, at, context }: MeterProtection): Promise<void> {
    const decide = as === 'activated' ? startMetering : stopMetering;
    await this.meters.update(change.creatorId, context, (meter) => decide(meter, change, at));
  }
}
