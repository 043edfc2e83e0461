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
import type { EventPublished } from '../domain/event-feed.js';
import { firstIdAt, type PublicEventType } from '../domain/public-event.js';

/** A published event, without its bytes. The order of the ids is that of the feed, but within one cause. */
export interface FeedEventDocument extends Document {
  readonly id: PublicEventId;
  readonly workspaceId: WorkspaceId;
  readonly eventType: PublicEventType;
  readonly creatorId: CreatorId;
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

/** Which events; the times are those in their ids, both included. */
export interface FeedFilter {
  readonly eventType?: PublicEventType | undefined;
  readonly creatorId?: CreatorId | undefined;
  readonly from?: Instant | undefined;
  readonly to?: Instant | undefined;
}

/** Finds published events by what they are about. */
export class FeedIndex {
  constructor(private readonly documents: ReadModel<FeedEventDocument>) {}

  async get(workspaceId: WorkspaceId, id: PublicEventId): Promise<FeedEventDocument | undefined> {
    const event = await this.documents.get(id);
    return event?.workspaceId === workspaceId ? event : undefined;
  }

  /** The newest first, those before an event, or from it on if it is `included`. With type and creator the type is not checked. */
  newest(
    workspaceId: WorkspaceId,
    { eventType, creatorId, from, to }: FeedFilter,
    limit: number,
    before?: { readonly id: PublicEventId; readonly isIncluded: boolean },
  ): Promise<FeedEventDocument[]> {
    const end = to === undefined ? undefined : firstIdAt(to + 1);
    const isBefore = before !== undefined && (end === undefined || before.id < end);
    return this.documents.find({
      ...indexOf(workspaceId, eventType, creatorId),
      order: 'descending',
      limit,
      ...(from !== undefined && { gte: firstIdAt(from) }),
      ...(isBefore ? { [before.isIncluded ? 'lte' : 'lt']: before.id } : end !== undefined && { lt: end }),
    });
  }

  /** The revision of the first event of that time or later; one more than the last revision if there is none. */
  async revisionAt(workspaceId: WorkspaceId, at: Instant): Promise<Revision> {
    const query = { index: 'workspace', equals: [workspaceId], limit: 1 };
    const [first] = await this.documents.find({ ...query, gte: firstIdAt(at) });
    if (first !== undefined) return first.revision;
    const [last] = await this.documents.find({ ...query, order: 'descending' });
    return last === undefined ? 0 : last.revision + 1;
  }
}

const indexOf = (workspaceId: WorkspaceId, eventType?: PublicEventType, creatorId?: CreatorId) => {
  if (creatorId !== undefined) return { index: 'creator', equals: [workspaceId, creatorId] };
  if (eventType !== undefined) return { index: 'type', equals: [workspaceId, eventType] };
  return { index: 'workspace', equals: [workspaceId] };
};
