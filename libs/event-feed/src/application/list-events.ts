import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Creators, isAccessible } from '#creators';
import { type CreatorId, invalidRequest, type PublicEventId, type WorkspaceId } from '#kernel';
import { EventFeed } from './feed-reading.js';

export interface EventPage {
  /** The events' bytes, as they were published. */
  readonly events: readonly string[];
  /** The last event that was looked at, where there are more (D57). */
  readonly nextCursor: PublicEventId | null;
}

export class ListEvents extends Query<EventPage> {
  constructor(
    readonly workspaceId: WorkspaceId,
    readonly limit: number,
    readonly after: PublicEventId | undefined,
  ) {
    super();
  }
}

@QueryHandler(ListEvents)
export class ListEventsHandler implements IQueryHandler<ListEvents> {
  constructor(
    private readonly feed: EventFeed,
    private readonly creators: Creators,
  ) {}

  async execute({ workspaceId, limit, after }: ListEvents): Promise<EventPage> {
    const from = after === undefined ? 0 : (await this.placeOf(workspaceId, after)) + 1;
    const { events, hasMore } = await this.feed.read(workspaceId, from, limit);
    const accessible = await this.accessible(events.map(({ data }) => data.creatorId));
    return {
      events: events.filter(({ data }) => accessible.has(data.creatorId)).map(({ data }) => data.personal.bytes),
      nextCursor: hasMore ? (events.at(-1)?.data.eventId ?? null) : null,
    };
  }

  private async placeOf(workspaceId: WorkspaceId, cursor: PublicEventId): Promise<number> {
    const place = await this.feed.placeOf(workspaceId, cursor);
    if (place !== undefined) return place;
    throw invalidRequest({ field: 'after', message: 'must be the id of an event of this feed' });
  }

  private async accessible(creatorIds: readonly CreatorId[]): Promise<ReadonlySet<CreatorId>> {
    const distinct = [...new Set(creatorIds)];
    const states = await Promise.all(distinct.map((creatorId) => this.creators.load(creatorId)));
    return new Set(distinct.filter((_, index) => states[index] !== undefined && isAccessible(states[index])));
  }
}
