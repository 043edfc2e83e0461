import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { DomainError, EventLog, type Instant, type PublicEventId, type RecordedEvent, type WorkspaceId } from '#kernel';
import type { EventPublished } from '../domain/event-feed.js';
import { EventFeed } from './feed-reading.js';
import { type Visibility, VisibleEvents } from './visible-events.js';

export interface ShownEvent extends Pick<EventPublished['data'], 'eventId' | 'eventType' | 'creatorId'> {
  readonly publishedAt: Instant;
  /** The event of the log that it announces. */
  readonly cause: RecordedEvent | undefined;
  /** Its bytes, or why they may not be seen. */
  readonly visibility: Visibility;
}

/** One event of a workspace's feed. Rejects with `not_found`, also where the agency may not see its creator any more (D57). */
export class GetEvent extends Query<ShownEvent> {
  constructor(
    readonly workspaceId: WorkspaceId,
    readonly eventId: PublicEventId,
  ) {
    super();
  }
}

@QueryHandler(GetEvent)
export class GetEventHandler implements IQueryHandler<GetEvent> {
  constructor(
    private readonly feed: EventFeed,
    private readonly visible: VisibleEvents,
    private readonly log: EventLog,
  ) {}

  async execute({ workspaceId, eventId }: GetEvent): Promise<ShownEvent> {
    const revision = await this.feed.revisionOf(workspaceId, eventId);
    if (revision === undefined) throw new DomainError('not_found');
    const published = (await this.visible.read(workspaceId, [revision])).get(revision);
    if (published === undefined) throw new Error(`the feed has lost ${eventId}`);
    const { eventType, creatorId, cause: at } = published.data;
    const rule = await this.visible.ruleFor([creatorId]);
    const visibility = rule({ eventId, creatorId }, published);
    if (visibility.kind === 'ended' || visibility.kind === 'erased') throw new DomainError('not_found');
    const [cause] = await this.log.readStream(at.stream, { from: at.revision, limit: 1 });
    return { eventId, eventType, creatorId, publishedAt: published.metadata.at, cause, visibility };
  }
}
