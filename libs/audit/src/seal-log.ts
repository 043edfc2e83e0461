import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Clock, EventLog } from '#kernel';
import { type Seal, Sealing } from '#tamper-evidence';
import { newestSeal } from './get-newest-seal.js';

/** Seals all that the log holds, without waiting for the worker, and returns the newest seal. */
export class SealLog extends Command<Seal> {}

@CommandHandler(SealLog)
export class SealLogHandler implements ICommandHandler<SealLog> {
  constructor(
    private readonly sealing: Sealing,
    private readonly log: EventLog,
    private readonly clock: Clock,
  ) {}

  async execute(): Promise<Seal> {
    await this.sealing.sealAll(this.clock.now());
    return newestSeal(this.log);
  }
}
