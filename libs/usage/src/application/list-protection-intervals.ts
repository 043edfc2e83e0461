import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type CreatorId, EventLog, eventsOfStream, streamName, type WorkspaceId } from '#kernel';
import { type ProtectionInterval, protectionIntervals } from '../domain/protection-intervals.js';

const MAX_INTERVALS = 100;

/** A creator's latest intervals of active protection, the newest first. */
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

  async execute({ workspaceId, creatorId }: ListProtectionIntervals): Promise<readonly ProtectionInterval[]> {
    const events = eventsOfStream(this.log, streamName('creator', creatorId));
    return (await protectionIntervals(events, workspaceId)).slice(-MAX_INTERVALS).toReversed();
  }
}
