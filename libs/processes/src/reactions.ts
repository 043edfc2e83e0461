import type { CollectionWrite, DomainEvent, LogConsumer, LogPage, RecordedEvent } from '#kernel';

export type Reactions<Event extends DomainEvent> = {
  readonly [Type in Event['type']]?: (event: RecordedEvent<Extract<Event, { type: Type }>>) => Promise<unknown>;
};

/** A process that answers events with commands, in log order, at least once each. */
export const reacting = <Event extends DomainEvent>(name: string, reactions: Reactions<Event>): LogConsumer => {
  // Each reaction is found by the type of the event that it was written for.
  const byType = new Map(Object.entries(reactions)) as Map<string, (event: RecordedEvent) => Promise<unknown>>;
  return {
    name,
    types: new Set(byType.keys()),
    async handle(page: LogPage): Promise<readonly CollectionWrite[]> {
      for (const event of page.events) await byType.get(event.type)?.(event);
      return [];
    },
  };
};
