import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Clock, type CreatorId, type Instant, type WorkspaceId } from '#kernel';
import { DASHBOARD_READ_MODELS, requireComplete, SetAsideList } from '#projections';
import { begunMonth, type Month } from '../domain/month.js';
import { type ExplainedCreator, explainUsage } from '../domain/usage-explanation.js';
import { METERING } from '../domain/usage-meter.js';
import { type IntervalEnd, intervalOf, measuredThrough, withEarlier } from './interval-entries.js';
import { type Entry, UsageIntervals, usageIntervalsProjection } from './usage-intervals.js';
import { EXPLANATION_TIMEOUT, UsageProgress } from './usage-progress.js';

/** Entries of an index that are read in one step. */
const STEP = 2_000;
/** Of one creator in one month. */
const MAX_OF_CREATOR = 50_000;

interface PageOfCreators {
  readonly limit: number;
  /** The creator after which the page begins. */
  readonly after?: string | undefined;
  /** Where the time that counts ends, if that is known from an earlier page. */
  readonly through?: Instant | undefined;
}

export interface ExplainedCreators {
  readonly month: Month;
  readonly through: Instant;
  readonly creators: readonly ExplainedCreator<IntervalEnd>[];
  readonly next: CreatorId | null;
}

/** The creators that were active in a month, the present one unless given, in the order of their ids. */
export class ExplainCreators extends Query<ExplainedCreators> {
  constructor(
    readonly workspaceId: WorkspaceId,
    readonly month: Month | undefined,
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
    private readonly setAsides: SetAsideList,
    private readonly progress: UsageProgress,
    private readonly clock: Clock,
  ) {}

  async execute({ workspaceId, month: asked, page }: ExplainCreators): Promise<ExplainedCreators> {
    const now = this.clock.now();
    const { month, start } = begunMonth(asked, now);
    const isBehind = !(await this.progress.hasCaughtUp(DASHBOARD_READ_MODELS, EXPLANATION_TIMEOUT));
    let { after = '', through } = page;
    const creators: ExplainedCreator<IntervalEnd>[] = [];
    for (let isLast = false; creators.length <= page.limit && !isLast; ) {
      const step = await this.read(workspaceId, month, after);
      through ??= measuredThrough(month, step.entries, isBehind, now);
      const intervals = step.entries.map(intervalOf);
      creators.push(...explainUsage(month, through, intervals).creators);
      isLast = step.last === null;
      after = step.last ?? '';
    }
    await requireComplete(this.setAsides, workspaceId, [METERING, usageIntervalsProjection.name]);
    const shown = creators.slice(0, page.limit);
    const next = creators.length > page.limit ? (shown.at(-1)?.creatorId ?? null) : null;
    return { month, through: through ?? start, creators: shown, next };
  }

  /** All intervals of some creators after that one; `last` is null if no more follow. */
  private async read(workspaceId: WorkspaceId, month: Month, after: string) {
    const range = { gt: after, limit: STEP };
    const open = await this.intervals.open(workspaceId, range);
    const ofMonth = await this.intervals.ofMonth(workspaceId, month, range);
    const cut = [open, ofMonth].filter(({ length }) => length === STEP).flatMap((entries) => entries.at(-1) ?? []);
    const last = cut.map(({ creatorId }) => creatorId).sort()[0] ?? null;
    const isRead = ({ creatorId }: Entry) => last === null || creatorId < last;
    const rest = last === null ? [] : await this.intervals.ofCreator(workspaceId, month, last, MAX_OF_CREATOR);
    const begun = open.filter((entry) => isRead(entry) || entry.creatorId === last);
    return { entries: withEarlier(month, [...ofMonth.filter(isRead), ...rest], begun), last };
  }
}
