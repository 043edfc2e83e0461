import {
  Caches,
  type Duration,
  type EventLog,
  memorySizeOf,
  type RecordedEvent,
  type Revision,
  SECOND,
  streamName,
  type WorkspaceId,
} from '#kernel';
import { EVENT_FEED, type EventPublished } from '../domain/event-feed.js';

const CACHE_BYTES = 8 * 1024 * 1024;
/** An erased text leaves the memory soon. Whether it may be sent is decided by the creator's state, not here. */
const CACHE_TTL: Duration = 5 * SECOND;
/** Several endpoints get the same events, and a backlog is sent in the order of the feed. */
const READ_AHEAD = 64;
/** A read includes a gap of so many events that were not asked for, because another read would cost more. */
const MAX_GAP = 8;

type Published = RecordedEvent<EventPublished>;

/** The cached events of one feed. */
interface Feed {
  readonly events: Map<Revision, Published>;
  /** The page that is being read, by each revision that it may contain: concurrent callers share it. */
  readonly reading: Map<Revision, Promise<readonly Published[]>>;
}

/** The events of feeds, for deliveries, which name them by their revisions. */
export class PublishedEvents {
  private feeds = new Map<WorkspaceId, Feed>();
  private bytes = 0;
  private since = performance.now();

  constructor(
    private readonly log: Pick<EventLog, 'readStream'>,
    private readonly caches: Caches = Caches.ON,
  ) {}

  /** The events of the workspace's feed at these revisions, and maybe others near them; a revision without an event is missing. */
  async at(workspaceId: WorkspaceId, revisions: readonly Revision[]): Promise<ReadonlyMap<Revision, Published>> {
    const feed = this.feedOf(workspaceId);
    const events = new Map<Revision, Published>();
    const pages = new Set<Promise<readonly Published[]>>();
    const unknown: Revision[] = [];
    for (const revision of revisions) {
      const event = feed.events.get(revision);
      const page = event === undefined ? feed.reading.get(revision) : undefined;
      if (event !== undefined) events.set(revision, event);
      else if (page !== undefined) pages.add(page);
      else unknown.push(revision);
    }
    for (const run of runsOf(unknown)) pages.add(this.readAhead(workspaceId, feed, run));
    for (const event of (await Promise.all(pages)).flat()) events.set(event.revision, event);

    // A page that was read before the event was appended lacks it.
    const missing = revisions.filter((revision) => !events.has(revision));
    const again = await Promise.all(runsOf(missing).map((run) => this.read(workspaceId, feed, run)));
    for (const event of again.flat()) events.set(event.revision, event);
    return events;
  }

  private feedOf(workspaceId: WorkspaceId): Feed {
    if (performance.now() - this.since > CACHE_TTL) this.forget();
    const feed = this.feeds.get(workspaceId) ?? { events: new Map(), reading: new Map() };
    this.feeds.set(workspaceId, feed);
    return feed;
  }

  private readAhead(workspaceId: WorkspaceId, feed: Feed, { from, limit }: Run): Promise<readonly Published[]> {
    const isInOrder = feed.events.has(from - 1) || feed.reading.has(from - 1);
    const run = { from, limit: isInOrder ? Math.max(limit, READ_AHEAD) : limit };
    const over = from + run.limit;
    const page = this.read(workspaceId, feed, run).finally(() => {
      for (let revision = from; revision < over; revision++) feed.reading.delete(revision);
    });
    for (let revision = from; revision < over; revision++) feed.reading.set(revision, page);
    return page;
  }

  private async read(workspaceId: WorkspaceId, feed: Feed, run: Run): Promise<readonly Published[]> {
    const events = (await this.log.readStream(streamName(EVENT_FEED, workspaceId), run)) as Published[];
    if (!this.caches.areOn) return events;
    for (const event of events) {
      feed.events.set(event.revision, event);
      this.bytes += memorySizeOf(event.data.personal.bytes) + 500;
    }
    if (this.bytes > CACHE_BYTES) this.forget();
    return events;
  }

  /** Drops all events; a later request for one of them costs one more read. */
  forget(): void {
    this.feeds = new Map();
    this.bytes = 0;
    this.since = performance.now();
  }
}

interface Run {
  readonly from: Revision;
  readonly limit: number;
}

/** As few reads as it takes. */
const runsOf = (revisions: readonly Revision[]): Run[] => {
  const runs: { from: Revision; limit: number }[] = [];
  for (const revision of revisions.toSorted((one, other) => one - other)) {
    const last = runs.at(-1);
    if (last !== undefined && revision - (last.from + last.limit) <= MAX_GAP) last.limit = revision - last.from + 1;
    else runs.push({ from: revision, limit: 1 });
  }
  return runs;
};
