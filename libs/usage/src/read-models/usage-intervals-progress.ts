import { Injectable } from '@nestjs/common';
import { type Duration, EventLog, Progress } from '#kernel';
import { DASHBOARD_READ_MODELS } from '#projections';
import { METERING } from '../domain/usage-meter.js';

const CATCH_UP_TIMEOUT: Duration = 500;

/** How far the read model of the intervals is. */
@Injectable()
export class UsageIntervalsProgress {
  constructor(
    private readonly log: EventLog,
    private readonly progress: Progress,
  ) {}

  /** Waits a little. Meter first: what it appends is what the read model has to have seen. */
  async hasCaughtUp(): Promise<boolean> {
    const { log, progress } = this;
    if (!(await progress.passed([METERING], await log.head(), CATCH_UP_TIMEOUT))) return false;
    return progress.passed([DASHBOARD_READ_MODELS], await log.head(), CATCH_UP_TIMEOUT);
  }
}
