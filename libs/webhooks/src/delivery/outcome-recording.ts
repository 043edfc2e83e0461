import { setTimeout as delay } from 'node:timers/promises';
import type { Duration } from '#kernel';
import type { AttemptOutcome } from './webhook-attempts.js';

const BATCH_WINDOW: Duration = 40;

/** Records the outcomes of one endpoint's attempts, a failure after the successes that were answered before it. */
export class OutcomeRecording {
  private batch: Promise<void> | undefined;
  private readonly successes = new Set<Promise<void>>();

  /** The order matters because the log shows which outcome came last (D82). */
  async record({ outcome, record }: Extract<AttemptOutcome, { kind: 'sent' }>): Promise<void> {
    if (outcome.kind !== 'delivered') {
      await this.awaitBatch();
      await Promise.allSettled(this.successes);
      return record();
    }
    const recorded = this.awaitBatch().then(record);
    this.successes.add(recorded);
    try {
      await recorded;
    } finally {
      this.successes.delete(recorded);
    }
  }

  /** Outcomes of a few milliseconds are recorded together, so that they share one sync to disk. */
  private awaitBatch(): Promise<void> {
    this.batch ??= delay(BATCH_WINDOW).then(() => {
      this.batch = undefined;
    });
    return this.batch;
  }
}
