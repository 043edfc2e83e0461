import { LRUCache } from 'lru-cache';
import {
  type Duration,
  ERASED,
  type EventLog,
  type RecordedEvent,
  type Revision,
  SEALED,
  SECOND,
  streamName,
  type WorkspaceId,
} from '#kernel';
import { EVENT_FEED, type EventPublished } from '#publishing';

const REMEMBERED_BYTES = 8 * 1024 * 1024;
/** As long as a creator's key is remembered: what is erased is gone from here as soon as from there. */
const REMEMBERED_FOR: Duration = 5 * SECOND;
/** Several endpoints are sent the same, and a backlog is sent in the order of the feed. */
const READ_AHEAD = 32;

interface Place {
  readonly workspaceId: WorkspaceId;
  readonly feedRevision: Revision;
  readonly eventId: string;
}

/** The bytes of published events, as they stand in the feed (D58). */
export class PublishedBytes {
  private readonly known = new LRUCache<string, RecordedEvent<EventPublished>>({
    maxSize: REMEMBERED_BYTES,
    sizeCalculation: ({ data }) => data.personal.bytes.length + 500,
    ttl: REMEMBERED_FOR,
  });

  /** By each place that it may have, the page that is being read: whoever comes meanwhile waits for the same. */
  private readonly reading = new Map<string, Promise<readonly RecordedEvent<EventPublished>[]>>();

  constructor(private readonly log: Pick<EventLog, 'readStream'>) {}

  /** Undefined where they have been erased. */
  async of({ workspaceId, feedRevision, eventId }: Place): Promise<Buffer | undefined> {
    const published = this.known.get(key(workspaceId, feedRevision)) ?? (await this.read(workspaceId, feedRevision));
    if (published?.data.eventId !== eventId) throw new Error(`the feed of ${workspaceId} has lost ${eventId}`);
    const { bytes } = published.data.personal;
    if (bytes === SEALED) throw new Error(`${eventId} can not be opened: its creator's key is missing`);
    return bytes === ERASED ? undefined : Buffer.from(bytes);
  }

  private async read(workspaceId: WorkspaceId, at: Revision): Promise<RecordedEvent<EventPublished> | undefined> {
    const page = this.reading.get(key(workspaceId, at)) ?? this.page(workspaceId, at);
    const found = (await page).find(({ revision }) => revision === at);
    // A page that was begun before the event was appended lacks it.
    return found ?? (await this.readPage(workspaceId, at, 1))[0];
  }

  private page(workspaceId: WorkspaceId, from: Revision) {
    const before = key(workspaceId, from - 1);
    const isInOrder = this.known.has(before) || this.reading.has(before);
    const limit = isInOrder ? READ_AHEAD : 1;
    const places = Array.from({ length: limit }, (_, n) => key(workspaceId, from + n));
    const page = this.readPage(workspaceId, from, limit).finally(() => {
      for (const place of places) this.reading.delete(place);
    });
    for (const place of places) this.reading.set(place, page);
    return page;
  }

  private async readPage(workspaceId: WorkspaceId, from: Revision, limit: number) {
    const page = await this.log.readStream(streamName(EVENT_FEED, workspaceId), { from, limit });
    const events = page as RecordedEvent<EventPublished>[];
    for (const event of events) this.known.set(key(workspaceId, event.revision), event);
    return events;
  }
}

const key = (workspaceId: WorkspaceId, revision: Revision): string => `${workspaceId} ${revision}`;
