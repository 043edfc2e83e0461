import {
  type CollectionWrite,
  type EventLog,
  type EventToAppend,
  type Instant,
  type LogConsumer,
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
import { type Announcement, EVENT_FEED, type EventPublished, publicEvent, publish } from '#publishing';
import type { AnnouncedEvent, Announcements } from './announcements.js';

export const PUBLISHER = 'publisher';

const PUBLISHED_TYPES: ReadonlySet<AnnouncedEvent['type']> = new Set<AnnouncedEvent['type']>([
  'creator.enrolledByLink.v1',
  'creator.enrolledByInvitation.v1',
  'creator.imported.v1',
  'creator.importLinked.v1',
  'creator.identityWritten.v1',
  'creator.identityWriteUnknown.v1',
  'creator.invitationSent.v1',
  'creator.invitationRefused.v1',
  'creator.invitationUnknown.v1',
  'creator.invitationResent.v1',
  'creator.invitationAccepted.v1',
  'creator.invitationExpired.v1',
  'creator.invitationWithdrawn.v1',
  'creator.onboarded.v1',
  'creator.identityObserved.v1',
  'creator.standingObserved.v1',
  'creator.authorizationLapsed.v1',
  'creator.protectionActivated.v1',
  'creator.protectionPaused.v1',
  'creator.found.v1',
  'creator.returned.v1',
  'case.opened.v1',
  'case.changed.v1',
  'case.attributed.v1',
  'case.removed.v1',
  'case.restored.v1',
  'impersonation.opened.v1',
  'impersonation.changed.v1',
  'impersonation.removed.v1',
  'impersonation.restored.v1',
  'scan.completed.v1',
  'scan.failed.v1',
  'deindexRequest.dispatching.v1',
  'deindexRequest.uncertain.v1',
  'deindexRequest.accepted.v1',
  'deindexRequest.submitted.v1',
  'deindexRequest.completed.v1',
  'deindexRequest.rejected.v1',
  'deindexRequest.failed.v1',
]);

/** Bytes of JSON in one append: sealing makes them a third longer, and there is more to be put around each event. */
const APPEND_BYTES = MAX_APPEND_BYTES / 2;

/** Where and when a feed ends, and the position of the event that it was last told of. */
interface Tail {
  readonly revision: Revision;
  readonly at: Instant;
  readonly through: Position;
}

/**
 * Tells each workspace's feed, in log order. A feed's last event says up to which cause it has been told, so that
 * nothing is told twice or left out, wherever a crash came (D58).
 */
export class Publisher implements LogConsumer {
  readonly name = PUBLISHER;
  readonly types = PUBLISHED_TYPES;
  private readonly tails = new Map<WorkspaceId, Tail>();

  constructor(
    private readonly log: EventLog,
    private readonly announcements: Announcements,
  ) {}

  async takeOver(): Promise<void> {
    this.tails.clear();
  }

  async handle(page: LogPage): Promise<readonly CollectionWrite[]> {
    const batches = new Map<WorkspaceId, Batch>();
    for (const event of page.events as readonly RecordedEvent<AnnouncedEvent>[]) {
      const { workspaceId } = event.metadata;
      if (workspaceId === null) continue;
      const announcements = await this.announcements.of(event);
      if (announcements.length === 0) continue;
      const tail = await this.tail(workspaceId);
      if (event.position <= tail.through) continue;
      const batch = batches.get(workspaceId) ?? new Batch(tail.at);
      batches.set(workspaceId, batch);
      // All that one cause has to tell goes into one append: a feed that names the cause holds all of it.
      const at = batch.timeOf(event);
      const published = publications(announcements, event, workspaceId, at);
      if (!batch.hasRoomFor(published)) await this.append(workspaceId, batch.take());
      batch.add(published, at, event.position);
    }
    for (const [workspaceId, batch] of batches) await this.append(workspaceId, batch.take());
    return [];
  }

  private async append(workspaceId: WorkspaceId, { events, at, through }: ReturnType<Batch['take']>): Promise<void> {
    if (events.length === 0) return;
    const tail = await this.tail(workspaceId);
    const expected = tail.revision === NO_EVENTS ? 'none' : tail.revision;
    this.tails.delete(workspaceId);
    const { revision } = await this.log.append(streamName(EVENT_FEED, workspaceId), expected, events);
    this.tails.set(workspaceId, { revision, at, through });
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
        : { revision: last.revision, at: last.metadata.at, through: await this.positionOf(last) };
    this.tails.set(workspaceId, tail);
    return tail;
  }

  private async positionOf({ data }: RecordedEvent<EventPublished>): Promise<Position> {
    const { stream, revision } = data.cause;
    const [cause] = await this.log.readStream(stream, { from: revision, limit: 1 });
    if (cause === undefined) throw new Error(`the log has lost ${data.cause.eventId}`);
    return cause.position;
  }
}

/** The events that tell of a cause, at that time of the feed. */
const publications = (
  announcements: readonly Announcement[],
  { id, stream, revision, metadata }: RecordedEvent,
  workspaceId: WorkspaceId,
  at: Instant,
): EventToAppend<EventPublished>[] =>
  announcements.map((announcement) => {
    const told = publicEvent(announcement, { id, at: metadata.at, workspaceId }, at);
    const { type, data } = publish(told, { eventId: id, stream, revision });
    const { correlationId } = metadata;
    const actor = `process:${PUBLISHER}`;
    return { id: newEventId(), type, data, metadata: { at, correlationId, causationId: id, actor, workspaceId } };
  });

class Batch {
  private events: EventToAppend<EventPublished>[] = [];
  private bytes = 0;
  private through: Position = 0;

  constructor(private at: Instant) {}

  /** When the feed tells of a cause: its times rise from cause to cause, whatever a clock did. */
  timeOf({ metadata }: RecordedEvent): Instant {
    return Math.max(this.at + 1, metadata.at);
  }

  hasRoomFor(more: readonly EventToAppend<EventPublished>[]): boolean {
    return this.events.length + more.length <= MAX_APPEND_EVENTS && this.bytes + sizeOf(more) <= APPEND_BYTES;
  }

  add(more: readonly EventToAppend<EventPublished>[], at: Instant, through: Position): void {
    this.events.push(...more);
    this.bytes += sizeOf(more);
    this.at = at;
    this.through = through;
  }

  take(): {
    readonly events: readonly EventToAppend<EventPublished>[];
    readonly at: Instant;
    readonly through: Position;
  } {
    const { events, at, through } = this;
    this.events = [];
    this.bytes = 0;
    return { events, at, through };
  }
}

const sizeOf = (events: readonly EventToAppend<EventPublished>[]): number =>
  events.reduce((sum, event) => sum + Buffer.byteLength(JSON.stringify(event)), 0);
