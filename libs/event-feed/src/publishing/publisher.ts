import { Injectable } from '@nestjs/common';
import type { LogConsumer } from '#jobs';
import {
  type Cache,
  Caches,
  type CollectionWrite,
  EventLog,
  type EventToAppend,
  type Instant,
  InvalidAppend,
  type LogPage,
  MAX_APPEND_BYTES,
  MAX_APPEND_EVENTS,
  NO_EVENTS,
  newEventId,
  type Position,
  type RecordedEvent,
  type Revision,
  streamName,
  type WorkspaceId,
} from '#kernel';
import {
  EVENT_FEED,
  type EventPublished,
  type EventReference,
  publish,
  publishedThrough,
} from '../domain/event-feed.js';
import { type Announcement, publicEvent } from '../domain/public-event.js';
import { ANNOUNCED_TYPES, Announcements } from './announcements.js';

export const PUBLISHER = 'publisher';

/** Bytes of JSON in one append. Encryption makes them about a third longer, and the log adds hashes. */
const APPEND_BYTES = MAX_APPEND_BYTES / 2;

/** About 10,000 workspaces. */
const LIMITS = { bytes: 2 * 1024 * 1024, entryBytes: 200 };

interface Tail {
  readonly revision: Revision;
  readonly at: Instant;
  readonly through: Position;
}

/** A feed's last event names its cause, and publishing resumes after it: nothing is published twice or left out (D58). */
@Injectable()
export class Publisher implements LogConsumer {
  readonly name = PUBLISHER;
  readonly types = ANNOUNCED_TYPES;
  private readonly tails: Cache<WorkspaceId, Tail>;

  constructor(
    private readonly log: EventLog,
    private readonly announcements: Announcements,
    caches: Caches = Caches.ON,
  ) {
    this.tails = caches.create(LIMITS);
  }

  async takeOver(): Promise<void> {
    this.tails.clear();
  }

  async handle(page: LogPage): Promise<readonly CollectionWrite[]> {
    const batches = new Map<WorkspaceId, Batch>();
    for (const event of page.events) {
      const { workspaceId } = event.metadata;
      if (workspaceId === null) continue;
      const announcements = await this.announcements.of(event);
      if (announcements.length === 0) continue;
      const tail = await this.tail(workspaceId);
      if (event.position <= tail.through) continue;
      const batch = batches.get(workspaceId) ?? new Batch(tail.at);
      batches.set(workspaceId, batch);
      const publication = publicationOf(announcements, event, workspaceId, batch.timeOf(event));
      if (!batch.hasRoomFor(publication)) await this.append(workspaceId, batch.take());
      batch.add(publication);
    }
    for (const [workspaceId, batch] of batches) await this.append(workspaceId, batch.take());
    return [];
  }

  /** What was set aside is published at the feed's end (D67); the log has then been published up to the retry. */
  async retry(event: RecordedEvent, retried: RecordedEvent): Promise<readonly CollectionWrite[]> {
    const { workspaceId } = event.metadata;
    if (workspaceId === null) return [];
    const announcements = await this.announcements.of(event);
    const tail = await this.tail(workspaceId);
    if (announcements.length === 0 || retried.position <= tail.through) return [];
    const at = new Batch(tail.at).timeOf(event);
    await this.append(workspaceId, [publicationOf(announcements, event, workspaceId, at, retried)]);
    return [];
  }

  /** In order, in as few appends as possible. Encrypted events are larger than is known here. */
  private async append(workspaceId: WorkspaceId, publications: readonly Publication[]): Promise<void> {
    const last = publications.at(-1);
    if (last === undefined) return;
    const { at, through } = last;
    const events = publications.flatMap((publication) => publication.events);
    const tail = await this.tail(workspaceId);
    const expected = tail.revision === NO_EVENTS ? 'none' : tail.revision;
    this.tails.delete(workspaceId);
    try {
      const { revision } = await this.log.append(streamName(EVENT_FEED, workspaceId), expected, events);
      this.tails.set(workspaceId, { revision, at, through });
    } catch (error) {
      if (!(error instanceof InvalidAppend) || publications.length === 1) throw error;
      const half = Math.ceil(publications.length / 2);
      await this.append(workspaceId, publications.slice(0, half));
      await this.append(workspaceId, publications.slice(half));
    }
  }

  private async tail(workspaceId: WorkspaceId): Promise<Tail> {
    const known = this.tails.get(workspaceId);
    if (known !== undefined) return known;
    const stream = streamName(EVENT_FEED, workspaceId);
    const [last] = (await this.log.readStream(stream, {
      direction: 'backwards',
      limit: 1,
    })) as RecordedEvent<EventPublished>[];
    const tail: Tail =
      last === undefined
        ? { revision: NO_EVENTS, at: 0, through: 0 }
        : { revision: last.revision, at: last.metadata.at, through: await this.through(last) };
    this.tails.set(workspaceId, tail);
    return tail;
  }

  private async through({ data }: RecordedEvent<EventPublished>): Promise<Position> {
    const { eventId, stream, revision } = publishedThrough(data);
    const [event] = await this.log.readStream(stream, { from: revision, limit: 1 });
    if (event === undefined) throw new Error(`the log has lost ${eventId}`);
    return event.position;
  }
}

/** All public events of one cause. They are one append, so that a feed that names the cause has all of them. */
interface Publication {
  readonly events: readonly EventToAppend<EventPublished>[];
  /** The time of the announcement in the feed. */
  readonly at: Instant;
  /** The log has been published up to here with it. */
  readonly through: Position;
  readonly bytes: number;
}

const publicationOf = (
  announcements: readonly Announcement[],
  cause: RecordedEvent,
  workspaceId: WorkspaceId,
  at: Instant,
  retried?: RecordedEvent,
): Publication => {
  const { id, metadata } = cause;
  const events = announcements.map((announcement): EventToAppend<EventPublished> => {
    const event = publicEvent(announcement, { id, at: metadata.at, workspaceId }, at);
    const { type, data } = publish(event, referenceTo(cause), retried && referenceTo(retried));
    const { correlationId } = metadata;
    const actor = `process:${PUBLISHER}`;
    return { id: newEventId(), type, data, metadata: { at, correlationId, causationId: id, actor, workspaceId } };
  });
  return { events, at, through: (retried ?? cause).position, bytes: sizeOf(events) };
};

const referenceTo = ({ id, stream, revision }: RecordedEvent): EventReference => ({ eventId: id, stream, revision });

class Batch {
  private publications: Publication[] = [];
  private events = 0;
  private bytes = 0;

  constructor(private at: Instant) {}

  /** The feed's time for a cause: times rise from cause to cause, also if a clock goes back. */
  timeOf({ metadata }: RecordedEvent): Instant {
    return Math.max(this.at + 1, metadata.at);
  }

  hasRoomFor({ events, bytes }: Publication): boolean {
    return this.events + events.length <= MAX_APPEND_EVENTS && this.bytes + bytes <= APPEND_BYTES;
  }

  add(publication: Publication): void {
    this.publications.push(publication);
    this.events += publication.events.length;
    this.bytes += publication.bytes;
    this.at = publication.at;
  }

  take(): readonly Publication[] {
    const { publications } = this;
    this.publications = [];
    this.events = 0;
    this.bytes = 0;
    return publications;
  }
}

const sizeOf = (events: readonly EventToAppend<EventPublished>[]): number =>
  events.reduce((sum, event) => sum + Buffer.byteLength(JSON.stringify(event)), 0);
