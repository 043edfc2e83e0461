import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Clock, DAY, type WorkspaceId } from '#kernel';
import { dayOf, EventDays } from './event-days.js';

interface DayCount {
  /** `YYYY-MM-DD` in UTC. */
  readonly day: string;
  readonly count: number;
}

/** How many events were published on each of the last days, this one included; the oldest first. */
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

  async execute({ workspaceId, days }: CountEventsByDay): Promise<readonly DayCount[]> {
    const first = dayOf(this.clock.now()) - days + 1;
    const counts = await this.counts.from(workspaceId, first, days);
    return Array.from({ length: days }, (_, index) => ({
      day: new Date((first + index) * DAY).toISOString().slice(0, 10),
      count: counts.get(first + index) ?? 0,
    }));
  }
}
