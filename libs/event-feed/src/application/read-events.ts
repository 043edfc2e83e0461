import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import {
  DomainError,
  EventLog,
  type Instant,
  invalidRequest,
  type PublicEventId,
  type RecordedEvent,
  type WorkspaceId,
} from '#kernel';
import type { EventPublished } from '../domain/event-feed.js';
import { EventFeed } from './feed-reading.js';
import { type Visibility, type VisibilityRule, VisibleEvents } from './visible-events.js';

export interface EventPage {
  readonly events: readonly string[];
  /** The last event that was checked, if more follow (D57). */
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
    private readonly visible: VisibleEvents,
  ) {}

  async execute({ workspaceId, limit, after }: ListEvents): Promise<EventPage> {
    const from = after === undefined ? 0 : (await this.revisionOf(workspaceId, after)) + 1;
    const { events, hasMore } = await this.feed.read(workspaceId, from, limit);
    const rule = await this.visible.ruleFor(events.map(({ data }) => data.creatorId));
    return {
      events: events.flatMap((event) => visibleBytes(event, rule)),
      nextCursor: hasMore ? (events.at(-1)?.data.eventId ?? null) : null,
    };
  }

  private async revisionOf(workspaceId: WorkspaceId, cursor: PublicEventId): Promise<number> {
    const revision = await this.feed.revisionOf(workspaceId, cursor);
    if (revision !== undefined) return revision;
    throw invalidRequest({ field: 'after', message: 'must be the id of an event of this feed' });
  }
}

/** D71: a page without an unreadable event would be incomplete, and its cursor would skip the event. */
const visibleBytes = (event: RecordedEvent<EventPublished>, rule: VisibilityRule): string[] => {
  const visibility = rule(event.data, event);
  if (visibility.kind === 'unreadable') throw visibility.error;
  return visibility.kind === 'visible' ? [visibility.bytes] : [];
};

export interface ShownEvent extends Pick<EventPublished['data'], 'eventId' | 'eventType' | 'creatorId'> {
  readonly publishedAt: Instant;
  /** The event of the log that it announces. */
  readonly cause: RecordedEvent | undefined;
  /** Its bytes, or why they may not be seen. */
  readonly visibility: Visibility;
}

/** One event of a workspace's feed. Rejects with `not_found`, also where the agency may not see its creator any more (D57). */
export class GetEvent extends Query<ShownEvent> {
  constructor(
    readonly workspaceId: WorkspaceId,
    readonly eventId: PublicEventId,
  ) {
    super();
  }
}

@QueryHandler(GetEvent)
export class GetEventHandler implements IQueryHandler<GetEvent> {
  constructor(
    private readonly feed: EventFeed,
    private readonly visible: VisibleEvents,
    private readonly log: EventLog,
  ) {}

  async execute({ workspaceId, eventId }: GetEvent): Promise<ShownEvent> {
    const revision = await this.feed.revisionOf(workspaceId, eventId);
    if (revision === undefined) throw new DomainError('not_found');
    const published = (await this.visible.read(workspaceId, [revision])).get(revision);
    if (published === undefined) throw new Error(`the feed has lost ${eventId}`);
    const { eventType, creatorId, cause: at } = published.data;
    const rule = await this.visible.ruleFor([creatorId]);
    const visibility = rule({ eventId, creatorId }, published);
    if (visibility.kind === 'ended' || visibility.kind === 'erased') throw new DomainError('not_found');
    const [cause] = await this.log.readStream(at.stream, { from: at.revision, limit: 1 });
    return { eventId, eventType, creatorId, publishedAt: published.metadata.at, cause, visibility };
  }
}
