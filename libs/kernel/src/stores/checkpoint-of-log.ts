import type { Checkpoint } from './document-store.js';
import type { EventLog } from './event-log.js';

/**
 * D92: whether the log has the event that the checkpoint names. One of an earlier version of the program names none, and
 * is believed unless it is beyond the log's end.
 */
export const isOfLog = async (
  log: Pick<EventLog, 'head' | 'readStream'>,
  { position, event }: Pick<Checkpoint, 'position' | 'event'>,
): Promise<boolean> => {
  if (event === undefined) return position === 0 || position <= (await log.head());
  const [found] = await log.readStream(event.stream, { from: event.revision, limit: 1 });
  return found?.id === event.id && found.position === event.position;
};
