import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Clock, type CreatorId, EventLog, eventsOfStream, streamName, type WorkspaceId } from '#kernel';
import { type Month, spanOf } from '../domain/month.js';
import { protectionIntervals } from '../domain/protection-intervals.js';
import { type ExplainedInterval, explainUsage } from '../domain/usage-explanation.js';

/** A creator's intervals in a month, each with the events that began and ended it. In the order of their beginnings. */
export class ExplainCreatorMonth extends Query<readonly ExplainedInterval[]> {
  constructor(
    readonly workspaceId: WorkspaceId,
    readonly month: Month,
    readonly creatorId: CreatorId,
  ) {
    super();
  }
}

@QueryHandler(ExplainCreatorMonth)
export class ExplainCreatorMonthHandler implements IQueryHandler<ExplainCreatorMonth> {
  constructor(
    private readonly log: EventLog,
    private readonly clock: Clock,
  ) {}

  async execute({ workspaceId, month, creatorId }: ExplainCreatorMonth): Promise<readonly ExplainedInterval[]> {
    const events = eventsOfStream(this.log, streamName('creator', creatorId));
    const intervals = await protectionIntervals(events, workspaceId);
    const through = Math.min(spanOf(month).end, this.clock.now());
    return explainUsage(month, through, intervals).creators[0]?.intervals ?? [];
  }
}
