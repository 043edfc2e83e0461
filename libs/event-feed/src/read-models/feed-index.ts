import {
  type CreatorId,
  type Document,
  type Instant,
  type PublicEventId,
  projection,
  type Revision,
  streamId,
  type WorkspaceId,
} from '#kernel';
import { DASHBOARD_READ_MODELS, type ReadModel } from '#projections';
import { type EventPublished, idsBetween, type PublicEventType } from '../domain/public-event.js';

/** A published event without its bytes. Ids are in the order of the feed, except within one cause. */
export interface FeedEventDocument extends Document, Pick<EventPublished['data'], 'eventType' | 'creatorId'> {
  readonly id: PublicEventId;
  readonly workspaceId: WorkspaceId;
  readonly revision: Revision;
}

export const feedIndexProjection = projection<FeedEventDocument, EventPublished>({
  name: 'feed_events',
  version: 1,
  runner: DASHBOARD_READ_MODELS,
  indexes: [
    { name: 'workspace', fields: ['workspaceId'] },
    { name: 'type', fields: ['workspaceId', 'eventType'] },
    { name: 'creator', fields: ['workspaceId', 'creatorId'] },
  ],
  on: {
    'eventFeed.eventPublished.v1': {
      documents: ({ data }) => data.eventId,
      fold: (_, { data, stream, revision }) => {
        const { eventId: id, eventType, creatorId } = data;
        // The feed's stream is named by its workspace.
        return { id, workspaceId: streamId(stream) as WorkspaceId, eventType, creatorId, revision };
      },
    },
  },
});

/** Selects events; the times are those in their ids, both inclusive. */
export interface FeedFilter {
  readonly eventType?: PublicEventType | undefined;
  readonly creatorId?: CreatorId | undefined;
  readonly from?: Instant | undefined;
  readonly to?: Instant | undefined;
}

export class FeedIndex {
  constructor(private readonly documents: ReadModel<FeedEventDocument>) {}

  /** The newest first, those before an event. With type and creator the type is not checked. */
  newest(
    workspaceId: WorkspaceId,
    { eventType, creatorId, from, to }: FeedFilter,
    limit: number,
    before?: PublicEventId,
  ): Promise<FeedEventDocument[]> {
    const { lt, ...range } = idsBetween(from, to);
    const end = before !== undefined && (lt === undefined || before < lt) ? before : lt;
    return this.documents.find({
      ...indexOf(workspaceId, eventType, creatorId),
      order: 'descending',
      limit,
      ...range,
      ...(end !== undefined && { lt: end }),
    });
  }
}

const indexOf = (workspaceId: WorkspaceId, eventType?: PublicEventType, creatorId?: CreatorId) => {
  if (creatorId !== undefined) return { index: 'creator', equals: [workspaceId, creatorId] };
  if (eventType !== undefined) return { index: 'type', equals: [workspaceId, eventType] };
  return { index: 'workspace', equals: [workspaceId] };
};
