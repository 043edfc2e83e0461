import type { CollectionWrite, DomainEvent, LogPage, RecordedEvent } from '#kernel';
import type { LogConsumer } from './subscriptions/log-consumer.js';

export type Reactions<Event extends DomainEvent> = {
  readonly [Type in Event['type']]?: (event: RecordedEvent<Extract<Event, { type: Type }>>) => Promise<unknown>;
};

/** A consumer that handles events with commands, in log order, at least once each. */
export const reacting = <Event extends DomainEvent>(name: string, reactions: Reactions<Event>): LogConsumer => {
  // A reaction is looked up by the type of the event, so it gets only the events that it was written for.
  const byType = new Map(Object.entries(reactions)) as Map<string, (event: RecordedEvent) => Promise<unknown>>;
  const react = async (events: readonly RecordedEvent[]): Promise<readonly CollectionWrite[]> => {
    for (const event of events) await byType.get(event.type)?.(event);
    return [];
  };
  return {
    name,
    types: new Set(byType.keys()),
    handle: (page: LogPage) => react(page.events),
    retry: (event) => react([event]),
  };
};
