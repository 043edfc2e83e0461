import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type CreatorId, EventLog, eventsOfStream, streamName, type WorkspaceId } from '#kernel';
import { type ProtectionInterval, protectionIntervals } from '../domain/protection-intervals.js';

/** A creator's intervals of active protection with the events that began and ended them, the oldest first. */
export class ListProtectionIntervals extends Query<readonly ProtectionInterval[]> {
  constructor(
    readonly workspaceId: WorkspaceId,
    readonly creatorId: CreatorId,
  ) {
    super();
  }
}

@QueryHandler(ListProtectionIntervals)
export class ListProtectionIntervalsHandler implements IQueryHandler<ListProtectionIntervals> {
  constructor(private readonly log: EventLog) {}

  execute({ workspaceId, creatorId }: ListProtectionIntervals): Promise<readonly ProtectionInterval[]> {
    return protectionIntervals(eventsOfStream(this.log, streamName('creator', creatorId)), workspaceId);
  }
}
