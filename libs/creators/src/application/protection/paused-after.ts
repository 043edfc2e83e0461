import { type CreatorId, type EventLog, newestEventsOfStream, type Position, streamName } from '#kernel';
import { creatorDecider } from '../../domain/creator.js';

/** Few are recorded while a scan waits. */
const FIRST_PAGE = 16;

/** Whether the creator was paused after that position of the log: reads its stream from the end, only back to there. */
export const wasPausedAfter = async (log: EventLog, creatorId: CreatorId, position: Position): Promise<boolean> => {
  const stream = streamName(creatorDecider.category, creatorId);
  for await (const event of newestEventsOfStream(log, stream, FIRST_PAGE)) {
    if (event.position <= position) return false;
    if (event.type === 'creator.protectionPaused.v1') return true;
  }
  return false;
};
