import { expect } from '@jest/globals';
import type { CommandBus, ICommand } from '@nestjs/cqrs';
import type { LogConsumer } from '#jobs';
import type { DomainEvent, Instant, RecordedEvent, StreamName, WorkspaceId } from '#kernel';
import { RecordingCommandBus } from './buses.js';
import { CAUSE, WORKSPACE } from './process-contexts.js';

/** An event, and the stream that it is recorded in. */
export interface EventOfStream {
  readonly stream: StreamName;
  readonly event: DomainEvent;
  /** Default: `WORKSPACE`. */
  readonly workspaceId?: WorkspaceId | null;
  /** When it was recorded, 0 unless given. */
  readonly at?: Instant;
}

export interface Reacted {
  /** Exactly these commands, in this order; their context is `contextOfProcess`. */
  thenCommands(expected: readonly ICommand[]): Promise<void>;
  thenNothing(): Promise<void>;
}

/** Given a log that the reaction has handled, when it handles the next event, then commands. Positions begin at 1. */
export const givenEvents = (reaction: (commands: CommandBus) => LogConsumer, past: readonly EventOfStream[] = []) => ({
  when: (event: EventOfStream): Reacted => {
    const thenCommands = async (expected: readonly ICommand[]) =>
      expect(await commandsOf(reaction, inLog(past, event))).toStrictEqual(expected);
    return { thenCommands, thenNothing: () => thenCommands([]) };
  },
});

/** The commands for the last of the events. */
const commandsOf = async (reaction: (commands: CommandBus) => LogConsumer, events: readonly RecordedEvent[]) => {
  const bus = new RecordingCommandBus();
  const consumer = reaction(bus);
  let earlier = 0;
  for (const event of events) {
    earlier = bus.commands.length;
    // The log gives a consumer no events of other types.
    if (!consumer.types.has(event.type)) continue;
    await consumer.handle({ events: [event], reached: event.position, atEnd: true });
    bus.assertAllAnswered();
  }
  return bus.commands.slice(earlier);
};

const inLog = (past: readonly EventOfStream[], last: EventOfStream): RecordedEvent[] => {
  const revisions = new Map<StreamName, number>();
  return [...past, last].map(({ stream, event, workspaceId = WORKSPACE, at = 0 }, index) => {
    const revision = revisions.get(stream) ?? 0;
    revisions.set(stream, revision + 1);
    const cause = { id: `event-${index}`, correlationId: `req-${index}` };
    const { id, correlationId } = index === past.length ? CAUSE : cause;
    const metadata = { at, actor: 'key:test', correlationId, causationId: null, workspaceId };
    return { ...event, id, stream, revision, position: index + 1, metadata };
  });
};
