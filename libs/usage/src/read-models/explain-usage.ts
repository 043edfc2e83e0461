import { type IQueryHandler, Query, QueryBus, QueryHandler } from '@nestjs/cqrs';
import { type CreatorId, DocumentStore, type WorkspaceId } from '#kernel';
import { DeadLetterList, laneOfReadModels, READ_MODELS, requireComplete } from '#projections';
import type { Month } from '../domain/month.js';
import type { IntervalEnd, UsageFigures } from '../domain/usage-explanation.js';
import { type DayShare, type ExplainedCreator, explainUsage } from '../domain/usage-explanation.js';
import { METERING } from '../domain/usage-meter.js';
import { GetUsage, type MeasuredUsage } from './get-usage.js';
import { UsageIntervals, usageIntervalsProjection } from './usage-intervals.js';

interface PageOfCreators {
  readonly limit: number;
  readonly after?: string | undefined;
}

export interface ExplainedCreators {
  readonly creators: readonly ExplainedCreator<IntervalEnd>[];
  readonly next: CreatorId | null;
}

export class ExplainCreators extends Query<ExplainedCreators> {
  constructor(
    readonly workspaceId: WorkspaceId,
    readonly figures: Pick<UsageFigures, 'month' | 'through'>,
    readonly page: PageOfCreators,
  ) {
    super();
  }
}

@QueryHandler(ExplainCreators)
export class ExplainCreatorsHandler implements IQueryHandler<ExplainCreators> {
  constructor(
    private readonly intervals: UsageIntervals,
    private readonly deadLetters: DeadLetterList,
  ) {}

  async execute({ workspaceId, figures, page }: ExplainCreators): Promise<ExplainedCreators> {
    const { month, through } = figures;
    const creators: ExplainedCreator<IntervalEnd>[] = [];
    for await (const step of this.intervals.ofMonth(workspaceId, month, page.after)) {
      creators.push(...explainUsage(month, through, step).creators);
      if (creators.length > page.limit) break;
    }
    await requireComplete(this.deadLetters, workspaceId, [METERING, usageIntervalsProjection.name]);
    const shown = creators.slice(0, page.limit);
    const next = creators.length > page.limit ? (shown.at(-1)?.creatorId ?? null) : null;
    return { creators: shown, next };
  }
}

/** Intervals of one agency in one month. Of more, the creators are explained page by page, and the days by nobody. */
const MAX_INTERVALS = 50_000;

export interface ExplainedMonth {
  readonly usage: MeasuredUsage;
  readonly days: readonly DayShare[] | null;
  /** The last event of the log that the read models had seen; null before the first. */
  readonly asOfEventId: string | null;
}

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
  constructor(
    private readonly queries: QueryBus,
    private readonly intervals: UsageIntervals,
    private readonly deadLetters: DeadLetterList,
    private readonly documents: DocumentStore,
  ) {}

  async execute({ workspaceId, month: asked }: ExplainMonth): Promise<ExplainedMonth> {
    const usage = await this.queries.execute(new GetUsage(workspaceId, asked));
    // Read before the intervals, which then have at least this event.
    const checkpoint = await this.documents.checkpoint(laneOfReadModels(READ_MODELS));
    const days = await this.days(workspaceId, usage);
    await requireComplete(this.deadLetters, workspaceId, [METERING, usageIntervalsProjection.name]);
    return { usage, days, asOfEventId: checkpoint?.event?.id ?? null };
  }

  private async days(workspaceId: WorkspaceId, { month, through }: MeasuredUsage) {
    const shares: DayShare[] = [];
    let count = 0;
    // Each step has all intervals of its creators, so that the days of the steps add up.
    for await (const step of this.intervals.ofMonth(workspaceId, month)) {
      shares.push(...explainUsage(month, through, step).days);
      count += step.length;
      if (count > MAX_INTERVALS) return null;
    }
    const sum = (all: readonly DayShare[], figure: 'active' | 'creators') =>
      all.reduce((total, share) => total + share[figure], 0);
    return [...Map.groupBy(shares, ({ day }) => day)].map(([day, all]) => ({
      day,
      active: sum(all, 'active'),
      creators: sum(all, 'creators'),
    }));
  }
}
