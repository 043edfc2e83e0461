import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { EventLog, notFound, type RecordedEvent, type StreamName } from '#kernel';
import { type EventSelection, selectedEvents } from './event-selection.js';
import { readerOf } from './pseudonyms.js';

/**
 * The selected events, in the order of the log. `not_found` if there is none and one of the streams has no event either:
 * a mistyped id must not look like an empty history.
 */
export class ReadHistory extends Query<AsyncIterable<RecordedEvent>> {
  constructor(
    readonly selection: EventSelection,
    readonly streams: readonly StreamName[],
    /** Personal texts as they are; otherwise numbered placeholders. */
    readonly isRevealed: boolean,
  ) {
    super();
  }
}

@QueryHandler(ReadHistory)
export class ReadHistoryHandler implements IQueryHandler<ReadHistory> {
  constructor(private readonly log: EventLog) {}

  async execute(query: ReadHistory): Promise<AsyncIterable<RecordedEvent>> {
    return this.events(query);
  }

  private async *events({ selection, streams, isRevealed }: ReadHistory): AsyncGenerator<RecordedEvent> {
    const read = readerOf(isRevealed);
    let isEmpty = true;
    for await (const event of selectedEvents(this.log, selection)) {
      isEmpty = false;
      yield read(event);
    }
    if (isEmpty) await this.assertRecorded(streams);
  }

  private async assertRecorded(streams: readonly StreamName[]): Promise<void> {
    for (const stream of streams) {
      const [first] = await this.log.readStream(stream, { limit: 1 });
      if (first === undefined) throw notFound('stream', `${stream} has no event`);
    }
  }
}
