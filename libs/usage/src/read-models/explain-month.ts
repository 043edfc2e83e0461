import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Clock, DocumentStore, KeyedQueue, type WorkspaceId } from '#kernel';
import { DASHBOARD_READ_MODELS, requireComplete, SetAsideList } from '#projections';
import { begunMonth, type Month } from '../domain/month.js';
import { explainUsage, type UsageExplanation } from '../domain/usage-explanation.js';
import { METERING } from '../domain/usage-meter.js';
import { type IntervalEnd, intervalOf, measuredThrough, withEarlier } from './interval-entries.js';
import { type Entry, UsageIntervals, usageIntervalsProjection } from './usage-intervals.js';
import { EXPLANATION_TIMEOUT, UsageProgress } from './usage-progress.js';

/** Intervals of one agency in one month. Of more, the creators are explained page by page, and the days by nobody. */
const MAX_INTERVALS = 50_000;

export interface ExplainedMonth {
  /** Null if the month has more than 50,000 intervals. */
  readonly explanation: UsageExplanation<IntervalEnd> | null;
  /** The last event of the log that the read model had seen; null before the first. */
  readonly asOfEventId: string | null;
  /** Whether later events were missing in it. */
  readonly isBehind: boolean;
}

/** What an agency's usage of a month, of the present one unless given, consists of: by day and by creator. */
export class ExplainMonth extends Query<ExplainedMonth> {
  constructor(
    readonly workspaceId: WorkspaceId,
    readonly month: Month | undefined,
  ) {
    super();
  }
}

@QueryHandler(ExplainMonth)
export class ExplainMonthHandler implements IQueryHandler<ExplainMonth> {
  /** A workspace's months are added up one at a time. */
  private readonly queue = new KeyedQueue();

  constructor(
    private readonly intervals: UsageIntervals,
    private readonly setAsides: SetAsideList,
    private readonly documents: DocumentStore,
    private readonly progress: UsageProgress,
    private readonly clock: Clock,
  ) {}

  async execute({ workspaceId, month: asked }: ExplainMonth): Promise<ExplainedMonth> {
    const now = this.clock.now();
    const { month } = begunMonth(asked, now);
    const isBehind = !(await this.progress.hasCaughtUp(DASHBOARD_READ_MODELS, EXPLANATION_TIMEOUT));
    // Read before the intervals, which then have at least this event.
    const checkpoint = await this.documents.checkpoint(DASHBOARD_READ_MODELS);
    const entries = await this.queue.run(workspaceId, () => this.read(workspaceId, month));
    await requireComplete(this.setAsides, workspaceId, [METERING, usageIntervalsProjection.name]);
    const asOf = { asOfEventId: checkpoint?.event?.id ?? null, isBehind };
    if (entries.length > MAX_INTERVALS) return { explanation: null, ...asOf };
    const through = measuredThrough(month, entries, isBehind, now);
    const intervals = entries.map(intervalOf);
    return { explanation: explainUsage(month, through, intervals), ...asOf };
  }

  /** Those in the month, and those that are open since an earlier one. */
  private async read(workspaceId: WorkspaceId, month: Month): Promise<Entry[]> {
    const limit = MAX_INTERVALS + 1;
    const open = await this.intervals.open(workspaceId, { limit });
    return withEarlier(month, await this.intervals.ofMonth(workspaceId, month, { limit }), open);
  }
}
