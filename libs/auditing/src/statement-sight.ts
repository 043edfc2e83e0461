import type { RecordedEvent, Revision, WorkspaceId } from '#kernel';
import { type ProtectionInterval, protectionIntervals } from './protection-intervals.js';

/** Where an event stands, as it can be told outside of the log. */
export interface LogPlace {
  readonly id: string;
  readonly stream: string;
  readonly revision: Revision;
}

/** What a statement sees of a log. */
export interface Sight {
  readonly last: RecordedEvent | undefined;
  /** How many events the log holds up to the last one seen. */
  readonly events: number;
  readonly intervals: readonly ProtectionInterval[];
}

/** Sees what is asked for of the first `sealed` events: later ones are under no seal yet. */
export const sightOf = async (
  log: AsyncIterable<RecordedEvent>,
  sealed: number,
  isSeen: (event: RecordedEvent, number: number) => boolean,
  workspaceId: WorkspaceId,
): Promise<Sight> => {
  let last: RecordedEvent | undefined;
  let events = 0;
  async function* seen(): AsyncGenerator<RecordedEvent> {
    let number = 0;
    for await (const event of log) {
      number++;
      if (isSeen(event, number)) {
        last = event;
        events = number;
        yield event;
      }
      if (number >= sealed) return;
    }
  }
  const intervals = await protectionIntervals(seen(), workspaceId);
  return { last, events, intervals };
};
