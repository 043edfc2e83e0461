import { Injectable } from '@nestjs/common';
import {
  type Cache,
  Caches,
  EventLog,
  type Instant,
  type PublicEventId,
  type ReadStream,
  type RecordedEvent,
  type Revision,
  streamName,
  type WorkspaceId,
} from '#kernel';
import { EVENT_FEED, type EventPublished, instantIn } from '../domain/public-event.js';

type Published = RecordedEvent<EventPublished>;

/** Events that are scanned instead of halving once more. More than a cause announces; its events share one time. */
const FEW = 16;
/** About 20,000 cursors. */
const LIMITS = { bytes: 6 * 1024 * 1024, entryBytes: 300 };
/** A page ends after this many bytes; one read returns part of it. The largest events have a third of a megabyte. */
const PAGE_BYTES = 2 * 1024 * 1024;
const PART_EVENTS = 32;

export interface FeedPage {
  readonly events: readonly Published[];
  readonly hasMore: boolean;
}

/** Reads a feed from the log. The feed's order is that of the times in its ids. */
@Injectable()
export class EventFeed {
  /** The last event of each page, from which its reader continues. */
  private readonly cursors: Cache<PublicEventId, { workspaceId: WorkspaceId; revision: Revision }>;

  constructor(
    private readonly log: EventLog,
    caches: Caches = Caches.ON,
  ) {
    this.cursors = caches.create(LIMITS);
  }

  /** The cursor's revision, or undefined if the workspace's feed has no such event. */
  async revisionOf(workspaceId: WorkspaceId, cursor: PublicEventId): Promise<Revision | undefined> {
    const known = this.cursors.get(cursor);
    if (known?.workspaceId === workspaceId) return known.revision;
    const at = instantIn(cursor);
    // A client that follows a feed requests its end.
    const newest = await this.events(workspaceId, { direction: 'backwards', limit: FEW });
    const found = revisionIn(newest, cursor);
    if (found !== undefined || newest.some(({ metadata }) => metadata.at < at)) return found;
    const from = await this.firstAt(workspaceId, at, newest.at(-1)?.revision ?? 0);
    return revisionIn(await this.events(workspaceId, { from, limit: 2 * FEW }), cursor);
  }

  /** Up to `limit` events from a revision on, fewer if they are large, in the order of publishing. */
  async read(workspaceId: WorkspaceId, from: Revision, limit: number): Promise<FeedPage> {
    const events: Published[] = [];
    let hasMore = true;
    for (let bytes = 0; hasMore && events.length < limit && bytes < PAGE_BYTES; ) {
      const most = Math.min(PART_EVENTS, limit - events.length);
      // One more than the page shows whether more follow.
      const part = await this.events(workspaceId, { from: from + events.length, limit: most + 1 });
      hasMore = part.length > most;
      for (const event of part.slice(0, most)) {
        events.push(event);
        bytes += Buffer.byteLength(event.data.personal.bytes);
      }
    }
    const last = events.at(-1);
    if (last !== undefined) this.cursors.set(last.data.eventId, { workspaceId, revision: last.revision });
    return { events, hasMore };
  }

  /** A revision before `end`, at most `FEW` before the first event of that time or later. */
  private async firstAt(workspaceId: WorkspaceId, at: Instant, end: Revision): Promise<Revision> {
    let low = 0;
    let high = end;
    while (high - low > FEW) {
      const middle = Math.floor((low + high) / 2);
      const [event] = await this.events(workspaceId, { from: middle, limit: 1 });
      if (event !== undefined && event.metadata.at < at) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private async events(workspaceId: WorkspaceId, options: ReadStream): Promise<Published[]> {
    return (await this.log.readStream(streamName(EVENT_FEED, workspaceId), options)) as Published[];
  }
}

const revisionIn = (events: readonly Published[], cursor: PublicEventId): Revision | undefined =>
  events.find(({ data }) => data.eventId === cursor)?.revision;
