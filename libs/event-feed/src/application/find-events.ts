import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { invalidRequest, nextPart, type PublicEventId, type WorkspaceId } from '#kernel';
import { requireComplete, SetAsideList } from '#projections';
import { type FeedEventDocument, type FeedFilter, FeedIndex, feedIndexProjection } from '../read-models/feed-index.js';
import { VisibleEvents } from './visible-events.js';

export interface FoundEvents {
  readonly events: readonly FeedEventDocument[];
  /** From where a search goes on; null at the end. */
  readonly next: PublicEventId | null;
  /** The search has ended at `next`, although there may be more matches: it has read as much as it may. */
  readonly isCutOff: boolean;
}

/** A search reads so many entries, so that none takes long. */
const MAX_ENTRIES = 2_000;
const PAGE = 200;

/** Events of a workspace that may be seen, newest first. */
export class FindEvents extends Query<FoundEvents> {
  constructor(
    readonly workspaceId: WorkspaceId,
    readonly filter: FeedFilter,
    readonly limit: number,
    readonly after: PublicEventId | undefined,
    readonly maxEntries: number = MAX_ENTRIES,
  ) {
    super();
  }
}

@QueryHandler(FindEvents)
export class FindEventsHandler implements IQueryHandler<FindEvents> {
  constructor(
    private readonly index: FeedIndex,
    private readonly visible: VisibleEvents,
    private readonly setAsides: SetAsideList,
  ) {}

  async execute({ workspaceId, filter, limit, after, maxEntries }: FindEvents): Promise<FoundEvents> {
    if (after !== undefined && (await this.index.get(workspaceId, after)) === undefined) {
      throw invalidRequest({ field: 'after', message: 'must be the cursor of an earlier answer' });
    }
    const found = await this.search(workspaceId, filter, limit, after, maxEntries);
    await requireComplete(this.setAsides, workspaceId, [feedIndexProjection.name]);
    return found;
  }

  private async search(
    workspaceId: WorkspaceId,
    filter: FeedFilter,
    limit: number,
    after: PublicEventId | undefined,
    maxEntries: number,
  ): Promise<FoundEvents> {
    const events: FeedEventDocument[] = [];
    let last = after;
    for (let entries = 0; entries < maxEntries; ) {
      await nextPart();
      const most = Math.min(PAGE, maxEntries - entries);
      const page = await this.index.newest(workspaceId, filter, most, last && { id: last, isIncluded: false });
      for (const event of await this.shown(page, filter)) {
        // One more shows that the page is not the last.
        if (events.length === limit) return { events, next: events.at(-1)?.id ?? null, isCutOff: false };
        events.push(event);
      }
      entries += page.length;
      last = page.at(-1)?.id ?? last;
      if (page.length < most) return { events, next: null, isCutOff: false };
    }
    return { events, next: last ?? null, isCutOff: true };
  }

  /** Those of the type whose creators the agency may see (D57). */
  private async shown(page: readonly FeedEventDocument[], { eventType }: FeedFilter) {
    const ofType = page.filter((event) => eventType === undefined || event.eventType === eventType);
    const creators = await this.visible.creatorsShown(ofType.map(({ creatorId }) => creatorId));
    return ofType.filter(({ creatorId }) => creators.has(creatorId));
  }
}
