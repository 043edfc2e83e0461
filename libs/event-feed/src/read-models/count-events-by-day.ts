import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Clock, type WorkspaceId } from '#kernel';
import { type DayCount, EventDays } from './event-days.js';

/** How many events were published on each of the last days, this one included. */
export class CountEventsByDay extends Query<readonly DayCount[]> {
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
    private readonly counts: EventDays,
    private readonly clock: Clock,
  ) {}

  execute({ workspaceId, days }: CountEventsByDay): Promise<readonly DayCount[]> {
    return this.counts.of(workspaceId, days, this.clock.now());
  }
}
