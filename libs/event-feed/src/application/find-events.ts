import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { PublicEventId, WorkspaceId } from '#kernel';
import { boundedSearch, DeadLetterList, requireComplete } from '#projections';
import { type FeedEventDocument, type FeedFilter, FeedIndex, feedIndexProjection } from '../read-models/feed-index.js';
import { VisibleEvents } from './visible-events.js';

export interface FoundEvents {
  readonly events: readonly FeedEventDocument[];
  /** From where a search goes on; null at the end. */
  readonly next: PublicEventId | null;
  /** The search has ended at `next`, although there may be more matches: it has read as much as it may. */
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
    return { events: matches, next: last?.id ?? null, isCutOff };
  }

  /** Those of the type whose creators the agency may see (D57). */
  private async shown(page: readonly FeedEventDocument[], { eventType }: FeedFilter) {
    const ofType = page.filter((event) => eventType === undefined || event.eventType === eventType);
    const creators = await this.visible.creatorsShown(ofType.map(({ creatorId }) => creatorId));
    return ofType.filter(({ creatorId }) => creators.has(creatorId));
  }
}
