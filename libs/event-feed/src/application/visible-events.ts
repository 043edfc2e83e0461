import { Injectable } from '@nestjs/common';
import { CreatorVisibilities, type CreatorVisibility } from '#creators';
import {
  type Cache,
  Caches,
  type CreatorId,
  ENCRYPTED,
  ERASED,
  EventLog,
  PersonalDataUnreadable,
  type PublicEventId,
  type RecordedEvent,
  type Revision,
  SECOND,
  streamName,
  type WorkspaceId,
} from '#kernel';
import { EVENT_FEED, type EventPublished } from '../domain/event-feed.js';

/** Several endpoints get the same events, and a backlog is sent in the order of the feed. */
const READ_AHEAD = 64;
/** A read includes a gap of so many events that were not asked for, because another read would cost more. */
const MAX_GAP = 8;

type Published = RecordedEvent<EventPublished>;

/** An erased text leaves the memory soon. Whether it may be sent is decided by the creator's state, not here. */
const LIMITS = { bytes: 8 * 1024 * 1024, ttl: 5 * SECOND };

export class PublishedEvents {
  private readonly events: Cache<string, Published>;
  /** The page that is being read, by each event that it may contain: concurrent callers share it. */
  private readonly reading = new Map<string, Promise<readonly Published[]>>();
  private clearings = 0;

  constructor(
    private readonly log: Pick<EventLog, 'readStream'>,
    caches: Caches = Caches.ON,
  ) {
    this.events = caches.create(LIMITS);
  }

  /** The events of the workspace's feed at these revisions, and maybe others near them; a revision without an event is missing. */
  async at(workspaceId: WorkspaceId, revisions: readonly Revision[]): Promise<ReadonlyMap<Revision, Published>> {
    const events = new Map<Revision, Published>();
    const pages = new Set<Promise<readonly Published[]>>();
    const unknown: Revision[] = [];
    for (const revision of revisions) {
      const key = keyOf(workspaceId, revision);
      const event = this.events.get(key);
      const page = event === undefined ? this.reading.get(key) : undefined;
      if (event !== undefined) events.set(revision, event);
      else if (page !== undefined) pages.add(page);
      else unknown.push(revision);
    }
    for (const run of runsOf(unknown)) pages.add(this.readAhead(workspaceId, run));
    for (const event of (await Promise.all(pages)).flat()) events.set(event.revision, event);

    // A page that was read before the event was appended lacks it.
    const missing = revisions.filter((revision) => !events.has(revision));
    const again = await Promise.all(runsOf(missing).map((run) => this.read(workspaceId, run)));
    for (const event of again.flat()) events.set(event.revision, event);
    return events;
  }

  /** Drops all events; a later request for one of them costs one more read. */
  forget(): void {
    this.clearings++;
    this.events.clear();
    this.reading.clear();
  }

  private readAhead(workspaceId: WorkspaceId, { from, limit }: Run): Promise<readonly Published[]> {
    const before = keyOf(workspaceId, from - 1);
    const isInOrder = this.events.peek(before) !== undefined || this.reading.has(before);
    const run = { from, limit: isInOrder ? Math.max(limit, READ_AHEAD) : limit };
    const keys = Array.from({ length: run.limit }, (_, n) => keyOf(workspaceId, from + n));
    const page = this.read(workspaceId, run).finally(() => {
      for (const key of keys) this.reading.delete(key);
    });
    for (const key of keys) this.reading.set(key, page);
    return page;
  }

  private async read(workspaceId: WorkspaceId, run: Run): Promise<readonly Published[]> {
    const { clearings } = this;
    const events = (await this.log.readStream(streamName(EVENT_FEED, workspaceId), run)) as Published[];
    // D72: what was read before an erasure may hold what was erased.
    if (clearings === this.clearings)
      for (const event of events) this.events.set(keyOf(workspaceId, event.revision), event);
    return events;
  }
}

const keyOf = (workspaceId: WorkspaceId, revision: Revision): string => `${workspaceId}@${revision}`;

interface Run {
  readonly from: Revision;
  readonly limit: number;
}

const runsOf = (revisions: readonly Revision[]): Run[] => {
  const runs: { from: Revision; limit: number }[] = [];
  for (const revision of revisions.toSorted((one, other) => one - other)) {
    const last = runs.at(-1);
    if (last !== undefined && revision - (last.from + last.limit) <= MAX_GAP) last.limit = revision - last.from + 1;
    else runs.push({ from: revision, limit: 1 });
  }
  return runs;
};

/** What an agency may see of a published event now: its bytes, or why it may not. */
export type Visibility =
  | { readonly kind: 'visible'; readonly bytes: string }
  /** The key of its creator's data is missing, and may be restored (D71). */
  | { readonly kind: 'unreadable'; readonly error: PersonalDataUnreadable }
  | Exclude<CreatorVisibility, { readonly kind: 'visible' }>;

/** Throws unless the published event is the one that is named. */
export type VisibilityRule = (
  named: Pick<EventPublished['data'], 'eventId' | 'creatorId'>,
  published: Published | undefined,
) => Visibility;

/** Decides who may see what has been published, for the feed and for webhooks. No other code does. */
@Injectable()
export class VisibleEvents {
  private readonly published: PublishedEvents;

  constructor(
    log: EventLog,
    private readonly creators: CreatorVisibilities,
    caches: Caches = Caches.ON,
  ) {
    this.published = new PublishedEvents(log, caches);
  }

  /** The events of the workspace's feed at these revisions, whether visible or not, and maybe others near them. */
  read(workspaceId: WorkspaceId, revisions: readonly Revision[]): Promise<ReadonlyMap<Revision, Published>> {
    return this.published.at(workspaceId, revisions);
  }

  /** Reads the creators: call it last, directly before the events leave the service. */
  async ruleFor(creatorIds: Iterable<CreatorId>): Promise<VisibilityRule> {
    const creators = await this.creators.of(new Set(creatorIds));
    return ({ creatorId, eventId }, published) => {
      const creator = creators.get(creatorId) ?? { kind: 'ended' };
      return creator.kind === 'visible' ? visibilityOfBytes(eventId, published) : creator;
    };
  }

  /** Those whose events may be seen, as far as their keys are there. */
  async creatorsShown(creatorIds: Iterable<CreatorId>): Promise<ReadonlySet<CreatorId>> {
    const creators = await this.creators.of(new Set(creatorIds));
    return new Set([...creators].filter(([, { kind }]) => kind === 'visible').map(([id]) => id));
  }

  forget(): void {
    this.published.forget();
  }
}

const visibilityOfBytes = (eventId: PublicEventId, published: Published | undefined): Visibility => {
  if (published?.data.eventId !== eventId) throw new Error(`the feed has lost ${eventId}`);
  const { bytes } = published.data.personal;
  if (bytes === ERASED) return { kind: 'erased' };
  if (bytes !== ENCRYPTED) return { kind: 'visible', bytes };
  const error = new PersonalDataUnreadable(`${eventId} cannot be decrypted: its creator's key is missing`);
  return { kind: 'unreadable', error };
};
