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
import { boundedSearch, DeadLetterList, requireComplete } from '#projections';
import type { EventPublished } from '../domain/public-event.js';
import { type FeedEventDocument, type FeedFilter, FeedIndex, feedIndexProjection } from '../read-models/feed-index.js';
import { EventFeed } from './feed-reading.js';
import { type Visibility, type VisibilityRule, VisibleEvents } from './visible-events.js';

export interface FoundEvents {
  readonly events: readonly (FeedEventDocument & { readonly visibility: Visibility })[];
  /** Where a search continues; null at the end. */
  readonly next: PublicEventId | null;
  /** The search ended at `next`, although there may be more matches: it has read as much as it may. */
  readonly isCutOff: boolean;
}

const MAX_ENTRIES = 2_000;

/** Events of a workspace that may be seen, newest first. */
export class FindEvents extends Query<FoundEvents> {
  constructor(
    readonly workspaceId: WorkspaceId,
    readonly filter: FeedFilter,
    readonly limit: number,
    readonly after: PublicEventId | undefined,
  ) {
    super();
  }
}

@QueryHandler(FindEvents)
export class FindEventsHandler implements IQueryHandler<FindEvents> {
  constructor(
    private readonly index: FeedIndex,
    private readonly visible: VisibleEvents,
    private readonly deadLetters: DeadLetterList,
  ) {}

  async execute({ workspaceId, filter, limit, after }: FindEvents): Promise<FoundEvents> {
    const { matches, last, isCutOff } = await boundedSearch({
      read: (event: FeedEventDocument | undefined, most) =>
        this.index.newest(workspaceId, filter, most, event?.id ?? after),
      matchesIn: (page) => this.shown(page, filter),
      limit,
      maxEntries: MAX_ENTRIES,
    });
    await requireComplete(this.deadLetters, workspaceId, [feedIndexProjection.name]);
    const published = await this.visible.read(
      workspaceId,
      matches.map(({ revision }) => revision),
    );
    const rule = await this.visible.ruleFor(matches.map(({ creatorId }) => creatorId));
    const events = matches.map((event) => {
      const named = { eventId: event.id, creatorId: event.creatorId };
      return { ...event, visibility: rule(named, published.get(event.revision)) };
    });
    return { events, next: last?.id ?? null, isCutOff };
  }

  /** Those of the type whose creators the agency may see (D57). */
  private async shown(page: readonly FeedEventDocument[], { eventType }: FeedFilter) {
    const ofType = page.filter((event) => eventType === undefined || event.eventType === eventType);
    const creators = await this.visible.creatorsShown(ofType.map(({ creatorId }) => creatorId));
    return ofType.filter(({ creatorId }) => creators.has(creatorId));
  }
}

/** The cursor is the last event that was checked, if more follow (D57). */
export class ListEvents extends Query<{
  readonly events: readonly string[];
  readonly nextCursor: PublicEventId | null;
}> {
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

  async execute({ workspaceId, limit, after }: ListEvents) {
    const last = after === undefined ? -1 : await this.feed.revisionOf(workspaceId, after);
    if (last === undefined)
      throw invalidRequest({ field: 'after', message: 'must be the id of an event of this feed' });
    const { events, hasMore } = await this.feed.read(workspaceId, last + 1, limit);
    const rule = await this.visible.ruleFor(events.map(({ data }) => data.creatorId));
    return {
      events: events.flatMap((event) => visibleBytes(event, rule)),
      nextCursor: hasMore ? (events.at(-1)?.data.eventId ?? null) : null,
    };
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
  readonly cause: RecordedEvent | undefined;
  readonly visibility: Visibility;
}

/** One event of a workspace's feed. Rejects with `not_found`, also if the agency cannot see its creator (D57). */
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
