import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Clock, type Duration, EventLog, type Instant, LanePositions, SECOND, type WorkspaceId } from '#kernel';
import { DeadLetterList, READ_MODELS, type ReadModel, ReadModels, requireComplete } from '#projections';
import { begunMonth, type Month } from '../domain/month.js';
import { type UsageFigures, usageFigures } from '../domain/usage-explanation.js';
import { METERING } from '../domain/usage-meter.js';
import { UsageIntervals, usageIntervalsProjection } from './usage-intervals.js';
import { type UsageMonth, usageMonthsProjection } from './usage-months.js';

/** Awaited one after the other, because the read models show what the meter appends. */
const AWAITED = [METERING, READ_MODELS];
const MADE_OF = [METERING, usageMonthsProjection.name, usageIntervalsProjection.name];
const CATCH_UP_TIMEOUT: Duration = 2 * SECOND;
/** More than a workspace can have. */
const ALL_MONTHS = 1_200;

export interface MeasuredUsage extends UsageFigures {
  /** The active time of the whole month, if everything that is open now stays open until its end. */
  readonly activeAtEnd: Duration;
  readonly isBehind: boolean;
}

export class GetUsage extends Query<MeasuredUsage> {
  constructor(
    readonly workspaceId: WorkspaceId,
    readonly month: Month | undefined,
  ) {
    super();
  }
}

@QueryHandler(GetUsage)
export class GetUsageHandler implements IQueryHandler<GetUsage> {
  private readonly months: ReadModel<UsageMonth>;

  constructor(
    readModels: ReadModels,
    private readonly intervals: UsageIntervals,
    private readonly log: EventLog,
    private readonly progress: LanePositions,
    private readonly deadLetters: DeadLetterList,
    private readonly clock: Clock,
  ) {
    this.months = readModels.of(usageMonthsProjection);
  }

  async execute({ workspaceId, month: asked }: GetUsage): Promise<MeasuredUsage> {
    const isBehind = !(await this.haveCaughtUp());
    const now = this.clock.now();
    const { month, start, end } = begunMonth(asked, now);
    // One read of all of them: between two reads, an interval that ends could be in neither.
    const sums = await this.months.find({ index: 'month', equals: [workspaceId], lte: month, limit: ALL_MONTHS });
    const metered = Math.max(0, ...sums.map((sum) => sum.metered));
    // D44: figures that lag behind the log are valid up to their last event, and none counts time that has not passed.
    const through = Math.min(end, now, isBehind ? Math.max(start, metered) : now);
    const areSumsValid = through === end || metered < through;
    const figures = areSumsValid
      ? usageFigures(month, through, { sums })
      : await this.fromIntervals(workspaceId, month, through);
    await requireComplete(this.deadLetters, workspaceId, MADE_OF);
    const { active: activeAtEnd } = usageFigures(month, end, { sums });
    return { ...figures, activeAtEnd, isBehind };
  }

  private async haveCaughtUp(): Promise<boolean> {
    const deadline = performance.now() + CATCH_UP_TIMEOUT;
    for (const follower of AWAITED) {
      const head = await this.log.head();
      const left = Math.max(0, deadline - performance.now());
      if (!(await this.progress.waitForPosition([follower], head, left))) return false;
    }
    return true;
  }

  private async fromIntervals(workspaceId: WorkspaceId, month: Month, through: Instant): Promise<UsageFigures> {
    let [active, creators] = [0, 0];
    for await (const intervals of this.intervals.ofMonth(workspaceId, month)) {
      const step = usageFigures(month, through, { intervals });
      active += step.active;
      creators += step.creators;
    }
    return { month, through, active, creators };
  }
}
