import {
  Caches,
  type Duration,
  ENCRYPTED,
  ERASED,
  type EventLog,
  PersonalDataUnreadable,
  type RecordedEvent,
  type Revision,
  SECOND,
  streamName,
  type WorkspaceId,
} from '#kernel';
import { EVENT_FEED, type EventPublished } from '../domain/event-feed.js';

const REMEMBERED_BYTES = 8 * 1024 * 1024;
/** What is erased is not to stay here for long; that none of it is sent any more is seen by the creator's state. */
const REMEMBERED_FOR: Duration = 5 * SECOND;
/** Several endpoints are sent the same, and a backlog is sent in the order of the feed. */
const READ_AHEAD = 64;
/** Over as many events that nobody asked for a read goes on: it costs less than another read. */
const MOST_PASSED = 8;

type Published = RecordedEvent<EventPublished>;

/** What is known of one feed. */
interface Feed {
  readonly events: Map<Revision, Published>;
  /** By each place that it may have, the page that is being read: whoever comes meanwhile waits for the same. */
  readonly reading: Map<Revision, Promise<readonly Published[]>>;
}

/** The events of feeds, for deliveries that are told of their places. */
export class PublishedEvents {
  private feeds = new Map<WorkspaceId, Feed>();
  private bytes = 0;
  private since = performance.now();

  constructor(
    private readonly log: Pick<EventLog, 'readStream'>,
    private readonly caches: Caches = Caches.ON,
  ) {}

  /** What stands at these places of the workspace's feed and maybe at others near them; one without an event is missing. */
  async at(workspaceId: WorkspaceId, places: readonly Revision[]): Promise<ReadonlyMap<Revision, Published>> {
    const feed = this.feedOf(workspaceId);
    const events = new Map<Revision, Published>();
    const pages = new Set<Promise<readonly Published[]>>();
    const unknown: Revision[] = [];
    for (const place of places) {
      const event = feed.events.get(place);
      const page = event === undefined ? feed.reading.get(place) : undefined;
      if (event !== undefined) events.set(place, event);
      else if (page !== undefined) pages.add(page);
      else unknown.push(place);
    }
    for (const run of runsOf(unknown)) pages.add(this.readAhead(workspaceId, feed, run));
    for (const event of (await Promise.all(pages)).flat()) events.set(event.revision, event);

    // A page that was begun before the event was appended lacks it.
    const missing = places.filter((place) => !events.has(place));
    const again = await Promise.all(runsOf(missing).map((run) => this.read(workspaceId, feed, run)));
    for (const event of again.flat()) events.set(event.revision, event);
    return events;
  }

  private feedOf(workspaceId: WorkspaceId): Feed {
    if (performance.now() - this.since > REMEMBERED_FOR) this.forget();
    const feed = this.feeds.get(workspaceId) ?? { events: new Map(), reading: new Map() };
    this.feeds.set(workspaceId, feed);
    return feed;
  }

  private readAhead(workspaceId: WorkspaceId, feed: Feed, { from, limit }: Run): Promise<readonly Published[]> {
    const isInOrder = feed.events.has(from - 1) || feed.reading.has(from - 1);
    const run = { from, limit: isInOrder ? Math.max(limit, READ_AHEAD) : limit };
    const over = from + run.limit;
    const page = this.read(workspaceId, feed, run).finally(() => {
      for (let place = from; place < over; place++) feed.reading.delete(place);
    });
    for (let place = from; place < over; place++) feed.reading.set(place, page);
    return page;
  }

  private async read(workspaceId: WorkspaceId, feed: Feed, run: Run): Promise<readonly Published[]> {
    const events = (await this.log.readStream(streamName(EVENT_FEED, workspaceId), run)) as Published[];
    if (!this.caches.areOn) return events;
    for (const event of events) {
      feed.events.set(event.revision, event);
      this.bytes += event.data.personal.bytes.length + 500;
    }
    if (this.bytes > REMEMBERED_BYTES) this.forget();
    return events;
  }

  /** All at once: what is still asked for costs one more read. */
  forget(): void {
    this.feeds = new Map();
    this.bytes = 0;
    this.since = performance.now();
  }
}

/** The event's bytes as they stand in the feed (D58), undefined where they have been erased. */
export const bytesOf = (eventId: string, published: Published | undefined): Buffer | undefined => {
  if (published?.data.eventId !== eventId) throw new Error(`the feed has lost ${eventId}`);
  const { bytes } = published.data.personal;
  if (bytes === ENCRYPTED) {
    throw new PersonalDataUnreadable(`${eventId} cannot be decrypted: its creator's key is missing`);
  }
  return bytes === ERASED ? undefined : Buffer.from(bytes);
};

interface Run {
  readonly from: Revision;
  readonly limit: number;
}

/** As few reads as it takes. */
const runsOf = (places: readonly Revision[]): Run[] => {
  const runs: { from: Revision; limit: number }[] = [];
  for (const place of places.toSorted((one, other) => one - other)) {
    const last = runs.at(-1);
    if (last !== undefined && place - (last.from + last.limit) <= MOST_PASSED) last.limit = place - last.from + 1;
    else runs.push({ from: place, limit: 1 });
  }
  return runs;
};
