import { Command, CommandHandler, type ICommandHandler, type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import {
  Clock,
  type CommandContext,
  EventLog,
  eventsOfStream,
  invalidRequest,
  notFound,
  type RecordedEvent,
} from '#kernel';
import { endOfSeals, LastSeals, SEALED, SEALS, type Seal, type Sealed, Sealing } from '#tamper-evidence';

/**
 * Seals the whole log without waiting for the worker, and returns the newest seal. A log that lacks seals is sealed
 * only if an operator accepts the loss; the log then records who did (D91).
 */
export class SealLog extends Command<Seal> {
  constructor(readonly lossAcceptedBy?: CommandContext['actor']) {
    super();
  }
}

@CommandHandler(SealLog)
export class SealLogHandler implements ICommandHandler<SealLog> {
  constructor(
    private readonly lastSeals: LastSeals,
    private readonly sealing: Sealing,
    private readonly log: EventLog,
    private readonly clock: Clock,
  ) {}

  async execute({ lossAcceptedBy: operator }: SealLog): Promise<Seal> {
    if (operator !== undefined && !(await this.lastSeals.acceptLoss(this.clock.now(), operator)))
      throw invalidRequest({ field: '--accept-loss', message: 'has nothing to accept: no seal is missing' });
    await this.sealing.sealAll(this.clock.now());
    return newestSeal(this.log);
  }
}

/** The newest seal, in the form in which it is stored elsewhere; `not_found` if nothing has been sealed. */
export class GetNewestSeal extends Query<Seal> {}

@QueryHandler(GetNewestSeal)
export class GetNewestSealHandler implements IQueryHandler<GetNewestSeal> {
  constructor(private readonly log: EventLog) {}

  execute(): Promise<Seal> {
    return newestSeal(this.log);
  }
}

const newestSeal = async (log: EventLog): Promise<Seal> => {
  const { lastSeal } = await endOfSeals(log);
  if (lastSeal === undefined) throw notFound('log', 'has no seal');
  return withoutPrints(lastSeal.data);
};

/** A seal as it leaves the log. */
export const withoutPrints = ({ statement, signature }: Seal): Seal => ({ statement, signature });

/** The seals of the log, oldest first, without key changes. */
export class ListSeals extends Query<AsyncIterable<RecordedEvent<Sealed>>> {}

@QueryHandler(ListSeals)
export class ListSealsHandler implements IQueryHandler<ListSeals> {
  constructor(private readonly log: EventLog) {}

  async execute(): Promise<AsyncIterable<RecordedEvent<Sealed>>> {
    return sealsOf(this.log);
  }
}

export async function* sealsOf(log: EventLog): AsyncGenerator<RecordedEvent<Sealed>> {
  for await (const event of eventsOfStream(log, SEALS)) {
    if (event.type === SEALED) yield event as RecordedEvent<Sealed>;
  }
}
