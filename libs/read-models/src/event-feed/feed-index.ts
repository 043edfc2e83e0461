import {
  type Document,
  type EventLog,
  type PublicEventId,
  projection,
  type RecordedEvent,
  type Revision,
  streamId,
  streamName,
  type WorkspaceId,
} from '#kernel';
import { EVENT_FEED, type EventPublished } from '#publishing';
import type { ReadModel } from '../read-model.js';

/** Where in its workspace's feed a public event stands; its id is the event's. */
export interface FeedEntry extends Document {
  readonly workspaceId: WorkspaceId;
  readonly revision: Revision;
}

/** More than the index is behind in a second or two. */
const NEWEST = 200;

export const feedIndexProjection = projection<FeedEntry, EventPublished>({
  name: 'feed_index',
  version: 1,
  indexes: [],
  on: {
    'eventFeed.eventPublished.v1': {
      documents: ({ data }) => data.eventId,
      fold: (_, { data, stream, revision }) => ({
        id: data.eventId,
        // The feed's stream is named by its workspace.
        workspaceId: streamId(stream) as WorkspaceId,
        revision,
      }),
    },
  },
});

/** Reads a feed from the log itself; only the place of a cursor comes from the read model. */
export class EventFeed {
  constructor(
    private readonly log: EventLog,
    private readonly index: ReadModel<FeedEntry>,
  ) {}

  /** The cursor's place, or undefined where the workspace's feed has no such event. */
  async placeOf(workspaceId: WorkspaceId, cursor: PublicEventId): Promise<Revision | undefined> {
    const entry = await this.index.get(cursor);
    return entry?.workspaceId === workspaceId ? entry.revision : undefined;
  }

  /** The place of one of the newest events, as the log itself has it: it may not be in the index yet. */
  async newestPlaceOf(workspaceId: WorkspaceId, cursor: PublicEventId): Promise<Revision | undefined> {
    const stream = streamName(EVENT_FEED, workspaceId);
    const newest = await this.log.readStream(stream, { direction: 'backwards', limit: NEWEST });
    return (newest as RecordedEvent<EventPublished>[]).find(({ data }) => data.eventId === cursor)?.revision;
  }

  /** Up to `limit` events from a place on, in the order of their publishing. */
  async read(workspaceId: WorkspaceId, from: Revision, limit: number): Promise<RecordedEvent<EventPublished>[]> {
    const events = await this.log.readStream(streamName(EVENT_FEED, workspaceId), { from, limit });
    return events as RecordedEvent<EventPublished>[];
  }
}
