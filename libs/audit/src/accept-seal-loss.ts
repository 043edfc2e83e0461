import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Clock, type CommandContext, EventLog, invalidRequest } from '#kernel';
import { LastSeals, type Seal, Sealing } from '#tamper-evidence';
import { newestSeal } from './get-newest-seal.js';

/** D91: records who accepts that the log lacks seals, then seals what it holds, and returns that seal. */
export class AcceptSealLoss extends Command<Seal> {
  constructor(readonly context: CommandContext) {
    super();
  }
}

@CommandHandler(AcceptSealLoss)
export class AcceptSealLossHandler implements ICommandHandler<AcceptSealLoss> {
  constructor(
    private readonly lastSeals: LastSeals,
    private readonly sealing: Sealing,
    private readonly log: EventLog,
    private readonly clock: Clock,
  ) {}

  async execute({ context }: AcceptSealLoss): Promise<Seal> {
    const isAccepted = await this.lastSeals.acceptLoss(this.clock.now(), context.actor);
    if (!isAccepted)
      throw invalidRequest({ field: '--accept-loss', message: 'has nothing to accept: no seal is missing' });
    await this.sealing.sealAll(this.clock.now());
    return newestSeal(this.log);
  }
}
