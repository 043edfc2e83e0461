import { Injectable } from '@nestjs/common';
import { type Duration, EventLog, Progress, SECOND } from '#kernel';
import { METERING } from '../domain/usage-meter.js';

/** How long an explanation of usage waits for the read model of the intervals. */
export const EXPLANATION_TIMEOUT: Duration = SECOND;

/** How far the read models of usage are. */
@Injectable()
export class UsageProgress {
  constructor(
    private readonly log: EventLog,
    private readonly progress: Progress,
  ) {}

  /** Whether the runner's read models show all that happened before this moment; waits for it only so long. */
  async hasCaughtUp(runner: string, timeout: Duration): Promise<boolean> {
    const deadline = performance.now() + timeout;
    const left = () => Math.max(0, deadline - performance.now());
    // Meter first: what it appends is what the read models have to have seen.
    const metered = await this.progress.of(METERING);
    const head = await this.log.head();
    if (metered >= head) return this.progress.passed([runner], head, left());
    // What the meter has appended since it was asked how far it is may come after that head.
    if (!(await this.progress.passed([METERING], head, left()))) return false;
    return this.progress.passed([runner], await this.log.head(), left());
  }
}
