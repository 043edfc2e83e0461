import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { EventLog, type RecordedEvent } from '#kernel';
import { SEALED, SEALS, type Sealed } from '#tamper-evidence';

const EVENTS_PER_PAGE = 100;

/** The seals of the log, the first one first; without changes of their key. */
export class ListSeals extends Query<AsyncIterable<RecordedEvent<Sealed>>> {}

@QueryHandler(ListSeals)
export class ListSealsHandler implements IQueryHandler<ListSeals> {
  constructor(private readonly log: EventLog) {}

  async execute(): Promise<AsyncIterable<RecordedEvent<Sealed>>> {
    return this.seals();
  }

  private async *seals(): AsyncGenerator<RecordedEvent<Sealed>> {
    for (let from = 0; ; from += EVENTS_PER_PAGE) {
      const page = (await this.log.readStream(SEALS, { from, limit: EVENTS_PER_PAGE })) as RecordedEvent<Sealed>[];
      yield* page.filter(({ type }) => type === SEALED);
      if (page.length < EVENTS_PER_PAGE) return;
    }
  }
}
