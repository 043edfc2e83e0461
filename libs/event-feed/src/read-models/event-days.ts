import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Clock, DAY, type Document, type Instant, projection, streamId, type WorkspaceId } from '#kernel';
import { DASHBOARD_READ_MODELS, type ReadModel } from '#projections';
import type { EventPublished } from '../domain/public-event.js';

/** How many events a workspace's feed has for one UTC day. */
export interface EventDayDocument extends Document {
  readonly workspaceId: WorkspaceId;
  /** Days since 1970. */
  readonly day: number;
  readonly count: number;
}

export const dayOf = (at: Instant): number => Math.floor(at / DAY);

export const eventDaysProjection = projection<EventDayDocument, EventPublished>({
  name: 'event_days',
  version: 1,
  runner: DASHBOARD_READ_MODELS,
  indexes: [{ name: 'workspace', fields: ['workspaceId', 'day'] }],
  on: {
    'eventFeed.eventPublished.v1': {
      documents: ({ stream, metadata }) => `${streamId(stream)}-${dayOf(metadata.at)}`,
      fold: (document, { stream, metadata }, id) => ({
        id,
        workspaceId: streamId(stream) as WorkspaceId,
        day: dayOf(metadata.at),
        count: (document?.count ?? 0) + 1,
      }),
    },
  },
});

/** How many events were published on each of the last UTC days (`YYYY-MM-DD`), including today; oldest first. */
export class CountEventsByDay extends Query<readonly { readonly day: string; readonly count: number }[]> {
  constructor(
    readonly workspaceId: WorkspaceId,
    readonly days: number,
  ) {
    super();
  }
}

@QueryHandler(CountEventsByDay)
export class CountEventsByDayHandler implements IQueryHandler<CountEventsByDay> {
  constructor(
    private readonly documents: ReadModel<EventDayDocument>,
    private readonly clock: Clock,
  ) {}

  async execute({ workspaceId, days }: CountEventsByDay) {
    const first = dayOf(this.clock.now()) - days + 1;
    const found = await this.documents.find({ index: 'workspace', equals: [workspaceId], gte: first, limit: days });
    const counts = new Map(found.map(({ day, count }) => [day, count]));
    return Array.from({ length: days }, (_, index) => ({
      day: new Date((first + index) * DAY).toISOString().slice(0, 10),
      count: counts.get(first + index) ?? 0,
    }));
  }
}
