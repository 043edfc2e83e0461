import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { EventLog, eventsOfStream, type RecordedEvent } from '#kernel';
import { SEALED, SEALS, type Sealed } from '#tamper-evidence';

/** The seals of the log, the first one first; without changes of their key. */
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
