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
/** Over as many events that nobody asked for a read goes on: it costs less than another read. */
const MOST_PASSED = 8;

type Published = RecordedEvent<EventPublished>;

/** The events of feeds, for deliveries that are told of their places. */
export class PublishedEvents {
  private readonly known = new LRUCache<string, Published>({
    maxSize: REMEMBERED_BYTES,
    sizeCalculation: ({ data }) => data.personal.bytes.length + 500,
    ttl: REMEMBERED_FOR,
  });

  /** Several endpoints are sent the same at the same time: who comes meanwhile waits for the same read. */
  private readonly reading = new Map<string, Promise<readonly Published[]>>();

  constructor(private readonly log: Pick<EventLog, 'readStream'>) {}

  /** What stands at these places of the workspace's feed and maybe at others near them; one without an event is missing. */
  async at(workspaceId: WorkspaceId, places: readonly Revision[]): Promise<ReadonlyMap<Revision, Published>> {
    const events = new Map<Revision, Published>();
    const unknown: Revision[] = [];
    for (const place of places) {
      const event = this.known.get(key(workspaceId, place));
      if (event === undefined) unknown.push(place);
      else events.set(place, event);
    }
    const pages = await Promise.all(runsOf(unknown).map((run) => this.read(workspaceId, run)));
    for (const event of pages.flat()) events.set(event.revision, event);
    return events;
  }

  private read(workspaceId: WorkspaceId, { from, limit }: Run): Promise<readonly Published[]> {
    const name = `${key(workspaceId, from)} ${limit}`;
    const begun = this.reading.get(name);
    if (begun !== undefined) return begun;
    const reading = this.readRun(workspaceId, { from, limit }).finally(() => this.reading.delete(name));
    this.reading.set(name, reading);
    return reading;
  }

  private async readRun(workspaceId: WorkspaceId, run: Run): Promise<readonly Published[]> {
    const events = (await this.log.readStream(streamName(EVENT_FEED, workspaceId), run)) as Published[];
    for (const event of events) this.known.set(key(workspaceId, event.revision), event);
    return events;
  }
}

/** The event's bytes as they stand in the feed (D58), undefined where they have been erased. */
export const bytesOf = (eventId: string, published: Published | undefined): Buffer | undefined => {
  if (published?.data.eventId !== eventId) throw new Error(`the feed has lost ${eventId}`);
  const { bytes } = published.data.personal;
  if (bytes === SEALED) throw new Error(`${eventId} can not be opened: its creator's key is missing`);
  return bytes === ERASED ? undefined : Buffer.from(bytes);
};

interface Run {
  readonly from: Revision;
  readonly limit: number;
}

/** As few reads as it takes: a backlog is sent in the order of the feed. */
const runsOf = (places: readonly Revision[]): Run[] => {
  const runs: { from: Revision; limit: number }[] = [];
  for (const place of places.toSorted((one, other) => one - other)) {
    const last = runs.at(-1);
    if (last !== undefined && place - (last.from + last.limit) <= MOST_PASSED) last.limit = place - last.from + 1;
    else runs.push({ from: place, limit: 1 });
  }
  return runs;
};

const key = (workspaceId: WorkspaceId, revision: Revision): string => `${workspaceId} ${revision}`;
