import type { EventLog, ExpectedRevision } from '#kernel';
import { benchEvent } from './event-log-events.js';
import { SCALE } from './figures.js';

export const WRITERS = 64;
const APPENDS = Math.max(4, Math.round(60 * SCALE));

/** Events a second of writers that each append one event after the other to a stream of their own. */
export async function appendAll(log: EventLog, round: string): Promise<number> {
  const writers = Array.from({ length: WRITERS }, () => Array.from({ length: APPENDS }, (_, n) => benchEvent(n)));
  const began = performance.now();
  await Promise.all(
    writers.map(async (events, writer) => {
      let expected: ExpectedRevision = 'none';
      for (const event of events) {
        expected = (await log.append(`bench-${round}-${writer}`, expected, [event])).revision;
      }
    }),
  );
  return (WRITERS * APPENDS * 1_000) / (performance.now() - began);
}
