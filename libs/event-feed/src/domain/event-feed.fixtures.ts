import { derivedId, type EventLog, newEventId, streamName } from '#kernel';
import { mia, workspaceId } from '../../../creators/src/domain/creator.fixtures.js';
import { EVENT_FEED, publish } from './public-event.js';

export const eventIdAt = (revision: number) => derivedId('event', revision);

/** Appends an event about Mia to the feed of her workspace, under the id of the revision. */
export const publishAt = (log: Pick<EventLog, 'append'>, revision: number, bytes = `event ${revision}`) => {
  const event = { id: eventIdAt(revision), type: 'scan.completed', creatorId: mia, bytes } as const;
  const published = publish(event, { eventId: 'cause', stream: streamName('scan', '1'), revision: 0 });
  const metadata = { at: 0, correlationId: 'c', causationId: null, actor: 'test', workspaceId };
  return log.append(streamName(EVENT_FEED, workspaceId), 'any', [{ id: newEventId(), ...published, metadata }]);
};
