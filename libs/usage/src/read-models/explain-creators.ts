import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { CreatorId, WorkspaceId } from '#kernel';
import { DeadLetterList, requireComplete } from '#projections';
import { type ExplainedCreator, explainUsage } from '../domain/usage-explanation.js';
import type { IntervalEnd, UsageFigures } from '../domain/usage-figures.js';
import { METERING } from '../domain/usage-meter.js';
import { UsageIntervals, usageIntervalsProjection } from './usage-intervals.js';

interface PageOfCreators {
  readonly limit: number;
  /** The creator after which the page begins. */
  readonly after?: string | undefined;
}

export interface ExplainedCreators {
  readonly creators: readonly ExplainedCreator<IntervalEnd>[];
  readonly next: CreatorId | null;
}

/** The creators behind a month's figures, in the order of their ids. */
export class ExplainCreators extends Query<ExplainedCreators> {
  constructor(
    readonly workspaceId: WorkspaceId,
    readonly figures: Pick<UsageFigures, 'month' | 'through'>,
    readonly page: PageOfCreators,
  ) {
    super();
  }
}

/** Reads only the intervals of the creators that it shows, however many the month has. */
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
