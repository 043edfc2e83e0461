import { createHash } from 'node:crypto';
import type { EventLog, Position, RecordedEvent } from '#kernel';

/** The copy cannot be made, or differs from its source. The message says what to do. Nothing was overwritten. */
export class CopyRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CopyRefused';
  }
}

const EVENTS_PER_PAGE = 1_000;

/**
 * All events after a position in the order of the log, up to its end: also those that are appended while the last page is
 * handled, unlike the kernel's `eventsOf`.
 */
export async function* eventsAfter(log: EventLog, after: Position): AsyncGenerator<RecordedEvent, void> {
  for (let from = after; ; ) {
    const { events, reached, atEnd } = await log.readLog({ after: from, limit: EVENTS_PER_PAGE });
    yield* events;
    if (atEnd && events.length === 0) return;
    from = reached;
  }
}

/** All of an event except its position, which differs in each store. */
export const asLine = ({ id, stream, revision, type, data, metadata }: RecordedEvent): string =>
  `${JSON.stringify([stream, revision, id, type, data, metadata])}\n`;

/** The number of lines, and the SHA-256 of them in order. */
export class Digest {
  private readonly hash = createHash('sha256');
  lines = 0;

  add(line: string): void {
    this.hash.update(line);
    this.lines++;
  }

  toString(): string {
    return this.hash.copy().digest('hex');
  }
}
