import { type CreatorId, type EventLog, type Position, streamName } from '#kernel';
import { creatorDecider } from '../domain/creator.js';

const PAGE = 100;

/** The position of the creator's latest pause in the log, 0 where there is none. */
export const latestPause = async (log: EventLog, creatorId: CreatorId): Promise<Position> => {
  const stream = streamName(creatorDecider.category, creatorId);
  for (let from: number | undefined; ; ) {
    const page = await log.readStream(stream, {
      direction: 'backwards',
      limit: PAGE,
      ...(from !== undefined && { from }),
    });
    const pause = page.find(({ type }) => type === 'creator.protectionPaused.v1');
    if (pause !== undefined) return pause.position;
    const last = page.at(-1);
    if (last === undefined || last.revision === 0) return 0;
    from = last.revision - 1;
  }
};
