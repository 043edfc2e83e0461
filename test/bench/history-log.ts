import type { CaseEvent } from '#cases';
import type { CreatorEvent, RosterEvent } from '#creators';
import { type Announcement, EVENT_FEED, type EventPublished, publicEvent, publish } from '#event-feed';
import {
  type EventLog,
  type EventToAppend,
  type Instant,
  newEventId,
  type StreamName,
  streamName,
  type WorkspaceId,
} from '#kernel';
import type { ScanAllowanceEvent, ScanEvent } from '#scans';

const MAX_CONCURRENT_APPENDS = 1_000;

type HistoryEvent = RosterEvent | CreatorEvent | ScanAllowanceEvent | ScanEvent | CaseEvent | EventPublished;

interface Cause {
  readonly id: string;
  readonly stream: StreamName;
  readonly revision: number;
}

/** Collects appends, and knows where each stream ends. */
export class History {
  recorded = 0;
  private readonly revisions = new Map<string, number>();
  private readonly published = new Map<WorkspaceId, { announcement: Announcement; cause: Cause; at: Instant }[]>();
  private feedTime: Instant = 0;
  private appends: { stream: StreamName; expected: number; events: EventToAppend[] }[] = [];

  constructor(private readonly log: EventLog) {}

  record(
    category: string,
    id: string,
    workspaceId: WorkspaceId,
    at: Instant,
    facts: readonly HistoryEvent[],
    process = 'process:scan',
  ): Cause {
    const stream = streamName(category, id);
    const before = this.revisions.get(stream) ?? -1;
    const correlationId = newEventId();
    const metadata = { at, correlationId, causationId: null, actor: process, workspaceId };
    const events = facts.map(({ type, data }): EventToAppend => ({ id: newEventId(), type, data, metadata }));
    const revision = before + events.length;
    this.revisions.set(stream, revision);
    this.appends.push({ stream, expected: before, events });
    this.recorded += events.length;
    return { id: events.at(-1)?.id ?? '', stream, revision };
  }

  announce(workspaceId: WorkspaceId, at: Instant, cause: Cause, announcement: Announcement): void {
    const published = this.published.get(workspaceId) ?? [];
    this.published.set(workspaceId, published);
    published.push({ announcement, cause, at });
  }

  /** Each feed hears in one append what has happened since, as from the publisher. */
  async publish(): Promise<void> {
    for (const [workspaceId, published] of this.published) {
      const feedTime = Math.max(this.feedTime, ...published.map(({ at }) => at));
      this.feedTime = feedTime;
      const events = published.map(({ announcement, cause, at }) =>
        publish(publicEvent(announcement, { id: cause.id, at, workspaceId }, feedTime), {
          eventId: cause.id,
          stream: cause.stream,
          revision: cause.revision,
        }),
      );
      this.record(EVENT_FEED, workspaceId, workspaceId, feedTime, events, 'process:publisher');
    }
    this.published.clear();
    if (this.appends.length > MAX_CONCURRENT_APPENDS) await this.flush();
  }

  async flush(): Promise<void> {
    const appends = this.appends;
    this.appends = [];
    // One after the other in each stream, as commands are.
    const last = new Map<StreamName, Promise<unknown>>();
    for (const { stream, expected, events } of appends) {
      const append = () => this.log.append(stream, expected === -1 ? 'none' : expected, events);
      last.set(stream, (last.get(stream) ?? Promise.resolve()).then(append));
    }
    await Promise.all(last.values());
  }
}
