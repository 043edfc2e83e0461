import { DAY, type Document, type Instant, projection, streamId, type WorkspaceId } from '#kernel';
import { DASHBOARD_READ_MODELS, type ReadModel } from '#projections';
import type { EventPublished } from '../domain/event-feed.js';

/** How many events a workspace's feed has of one UTC day. */
export interface EventDayDocument extends Document {
  readonly workspaceId: WorkspaceId;
  /** Days since 1970. */
  readonly day: number;
  readonly count: number;
}

export const dayOf = (at: Instant): number => Math.floor(at / DAY);

export const eventDaysProjection = projection<EventDayDocument, EventPublished>({
  name: 'event_days',
  version: 1,
  runner: DASHBOARD_READ_MODELS,
  indexes: [{ name: 'workspace', fields: ['workspaceId', 'day'] }],
  on: {
    'eventFeed.eventPublished.v1': {
      documents: ({ stream, metadata }) => `${streamId(stream)}-${dayOf(metadata.at)}`,
      fold: (document, { stream, metadata }, id) => ({
        id,
        workspaceId: streamId(stream) as WorkspaceId,
        day: dayOf(metadata.at),
        count: (document?.count ?? 0) + 1,
      }),
    },
  },
});

export class EventDays {
  constructor(private readonly documents: ReadModel<EventDayDocument>) {}

  /** The counts of so many days from that one on; days without events have none. */
  async from(workspaceId: WorkspaceId, first: number, days: number): Promise<ReadonlyMap<number, number>> {
    const found = await this.documents.find({ index: 'workspace', equals: [workspaceId], gte: first, limit: days });
    return new Map(found.map(({ day, count }) => [day, count]));
  }
}
