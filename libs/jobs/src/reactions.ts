import type { CollectionWrite, DomainEvent, LogPage, RecordedEvent } from '#kernel';
import type { LogConsumer } from './lanes/log-consumer.js';

export type ReactionRows<Event extends DomainEvent> = {
  readonly [Type in Event['type']]?: (event: RecordedEvent<Extract<Event, { type: Type }>>) => Promise<unknown>;
};

/** Handles events with commands, in log order, at least once each. */
export abstract class Reaction<Event extends DomainEvent> implements LogConsumer {
  readonly types: ReadonlySet<string>;
  // The cast is safe: a row is looked up by the type of the event, so it gets only events of its type.
  private readonly rows: ReadonlyMap<string, (event: RecordedEvent) => Promise<unknown>>;

  protected constructor(
    readonly name: string,
    rows: ReactionRows<Event>,
    readonly formerName?: string,
  ) {
    this.rows = new Map(Object.entries(rows)) as Map<string, (event: RecordedEvent) => Promise<unknown>>;
    this.types = new Set(this.rows.keys());
  }

  handle(page: LogPage): Promise<readonly CollectionWrite[]> {
    return this.react(page.events);
  }

  retry(event: RecordedEvent): Promise<readonly CollectionWrite[]> {
    return this.react([event]);
  }

  private async react(events: readonly RecordedEvent[]): Promise<readonly CollectionWrite[]> {
    for (const event of events) await this.rows.get(event.type)?.(event);
    return [];
  }
}
