import { setTimeout as delay } from 'node:timers/promises';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Clock, type Duration, EventLog, type Instant, SECOND, type WorkspaceId } from '#kernel';
import { READ_MODELS, requireComplete, SetAsideList } from '#projections';
import { begunMonth, type Month, spanOf } from '../domain/month.js';
import { explainUsage } from '../domain/usage-explanation.js';
import { METERING } from '../domain/usage-meter.js';
import { ProtectionScans } from './protection-scans.js';
import { UsageReader } from './usage-figures.js';
import { usageMonthsProjection } from './usage-months.js';
import { usageOpeningsProjection } from './usage-openings.js';
import { UsageProgress } from './usage-progress.js';

const CATCH_UP_TIMEOUT: Duration = 2 * SECOND;
const MADE_OF = [METERING, usageMonthsProjection.name, usageOpeningsProjection.name];

export interface MeasuredUsage {
  readonly month: Month;
  /** Active time within the month and before `through`. */
  readonly active: Duration;
  readonly creators: number;
  readonly through: Instant;
}

/** An agency's usage of a month, of the present one unless given. */
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
  private readonly scans: ProtectionScans;

  constructor(
    private readonly reader: UsageReader,
    log: EventLog,
    private readonly progress: UsageProgress,
    private readonly setAsides: SetAsideList,
    private readonly clock: Clock,
  ) {
    this.scans = new ProtectionScans(log);
  }

  async execute(query: GetUsage): Promise<MeasuredUsage> {
    const usage = await this.measure(query);
    await requireComplete(this.setAsides, query.workspaceId, MADE_OF);
    return usage;
  }

  private async measure({ workspaceId, month: asked }: GetUsage): Promise<MeasuredUsage> {
    const deadline = performance.now() + CATCH_UP_TIMEOUT;
    const hasCaughtUp = await this.progress.hasCaughtUp(READ_MODELS, CATCH_UP_TIMEOUT);
    for (;;) {
      const now = this.clock.now();
      const { month, end } = begunMonth(asked, now);
      const through = Math.min(end, now);
      const { active, creators, metered } = await this.reader.figures(workspaceId, month, through);
      if (through < now || metered <= now) {
        if (hasCaughtUp) return { month, active, creators, through };
        return this.upToLastEvent(workspaceId, month, through, metered);
      }
      // Metered by a process whose clock is ahead: its events need not be looked up if this clock gets there in time.
      if (metered - now > deadline - performance.now()) return this.recomputeFromLog(workspaceId, month, through);
      await delay(metered - now);
    }
  }

  /** D44: figures that lag behind the log are valid only up to their last event, also where they catch up between two reads. */
  private async upToLastEvent(
    workspaceId: WorkspaceId,
    month: Month,
    through: Instant,
    metered: Instant,
  ): Promise<MeasuredUsage> {
    const { start } = spanOf(month);
    for (let last = metered; ; ) {
      const behind = Math.min(through, Math.max(start, last));
      const figures = await this.reader.figures(workspaceId, month, behind);
      last = figures.metered;
      const { active, creators } = figures;
      if (Math.min(through, last) <= behind) return { month, active, creators, through: behind };
    }
  }

  /** The clock was set back behind what has been metered: only the log itself says what lies before this moment (D44). */
  private async recomputeFromLog(workspaceId: WorkspaceId, month: Month, through: Instant): Promise<MeasuredUsage> {
    const intervals = await this.scans.of(workspaceId);
    const { active, creators } = explainUsage(month, through, intervals);
    return { month, active, creators: creators.length, through };
  }
}
