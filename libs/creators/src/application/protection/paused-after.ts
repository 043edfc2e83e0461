import { type CreatorId, type EventLog, type Position, streamName } from '#kernel';
import { creatorDecider } from '../../domain/creator.js';

/** Events of one read: few are recorded while a scan waits. */
const PAGE_SIZE = 16;

/** Whether the creator was paused after that position of the log: reads its stream from the end, only back to there. */
export const wasPausedAfter = async (log: EventLog, creatorId: CreatorId, position: Position): Promise<boolean> => {
  const stream = streamName(creatorDecider.category, creatorId);
  for (let from: number | undefined; ; ) {
    const page = await log.readStream(stream, {
      direction: 'backwards',
      limit: PAGE_SIZE,
      ...(from !== undefined && { from }),
    });
    for (const event of page) {
      if (event.position <= position) return false;
      if (event.type === 'creator.protectionPaused.v1') return true;
    }
    const last = page.at(-1);
    if (last === undefined || last.revision === 0) return false;
    from = last.revision - 1;
  }
};
