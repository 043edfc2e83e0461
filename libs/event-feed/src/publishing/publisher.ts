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
  type Announcement,
  EVENT_FEED,
  type EventPublished,
  type EventReference,
  publicEvent,
  publish,
  publishedThrough,
} from '../domain/public-event.js';
import { ANNOUNCED_TYPES, Announcements } from './announcements.js';

export const PUBLISHER = 'publisher';

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

  async handle({ events }: Pick<LogPage, 'events'>): Promise<readonly CollectionWrite[]> {
    await this.publish(events);
    return [];
  }

  /** Publishes a dead letter at the feed's end (D67); the log has then been published up to the retry. */
  async retry(event: RecordedEvent, retried: RecordedEvent): Promise<readonly CollectionWrite[]> {
    await this.publish([event], retried);
    return [];
  }

  private async publish(events: readonly RecordedEvent[], retried?: RecordedEvent): Promise<void> {
    const publications = new Map<WorkspaceId, Publication[]>();
    for (const event of events) {
      const { workspaceId } = event.metadata;
      if (workspaceId === null) continue;
      const announcements = await this.announcements.of(event);
      if (announcements.length === 0) continue;
      const tail = await this.tail(workspaceId);
      if ((retried ?? event).position <= tail.through) continue;
      const ofFeed = publications.get(workspaceId) ?? [];
      publications.set(workspaceId, ofFeed);
      ofFeed.push(publicationOf(announcements, event, workspaceId, ofFeed.at(-1)?.at ?? tail.at, retried));
    }
    for (const [workspaceId, ofFeed] of publications) await this.append(workspaceId, ofFeed);
  }

  /** In order, in halves if the log refuses them as too many: their size after encryption is not known here. */
  private async append(workspaceId: WorkspaceId, publications: readonly Publication[]): Promise<void> {
    const last = publications.at(-1);
    if (last === undefined) return;
    const { at, through } = last;
    const events = publications.flatMap((publication) => publication.events);
    const tail = await this.tail(workspaceId);
    const expected = tail.revision === NO_EVENTS ? 'none' : tail.revision;
    this.tails.delete(workspaceId);
    try {
      requireRoom(events);
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

/** All public events of one cause. They are one append, so a feed that names the cause has all of them. */
interface Publication {
  readonly events: readonly EventToAppend<EventPublished>[];
  readonly at: Instant;
  /** With it, the log has been published up to this point. */
  readonly through: Position;
}

const publicationOf = (
  announcements: readonly Announcement[],
  cause: RecordedEvent,
  workspaceId: WorkspaceId,
  atBefore: Instant,
  retried?: RecordedEvent,
): Publication => {
  const { id, metadata } = cause;
  // Times rise from cause to cause, even if a clock is set back.
  const at = Math.max(atBefore + 1, metadata.at);
  const events = announcements.map((announcement): EventToAppend<EventPublished> => {
    const event = publicEvent(announcement, { id, at: metadata.at, workspaceId }, at);
    const { type, data } = publish(event, referenceTo(cause), retried && referenceTo(retried));
    const { correlationId } = metadata;
    const actor = `process:${PUBLISHER}`;
    return { id: newEventId(), type, data, metadata: { at, correlationId, causationId: id, actor, workspaceId } };
  });
  return { events, at, through: (retried ?? cause).position };
};

/** The log refuses more only after it has encrypted them. */
const requireRoom = (events: readonly EventToAppend<EventPublished>[]): void => {
  const bytes = events.reduce((sum, { data }) => sum + data.personal.bytes.length, 0);
  if (events.length <= MAX_APPEND_EVENTS && bytes <= MAX_APPEND_BYTES) return;
  throw new InvalidAppend(`${events.length} events with ${bytes} characters`);
};

const referenceTo = ({ id, stream, revision }: RecordedEvent): EventReference => ({ eventId: id, stream, revision });
