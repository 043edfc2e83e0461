import { setTimeout as delay } from 'node:timers/promises';
import { ENROLLMENT_COUNT, METERING, PUBLISHER, SCAN_PLACES, WEBHOOK_SCHEDULING } from '#processes';
import { READ_MODELS } from '#read-models';
import type { Services } from '../../../apps/composition/src/index.js';
import type { Worker } from '../../../apps/worker/src/worker.js';
import { PATIENCE } from './patience.js';

const RUNNERS = [READ_MODELS, PUBLISHER, METERING, SCAN_PLACES, ENROLLMENT_COUNT, WEBHOOK_SCHEDULING];
const AT_MOST = 20_000 * PATIENCE;

/** What looks for due work, or for due deliveries. */
type Looking = Pick<Worker['due'], 'activity' | 'nudge'>;

/** Watches the worker look for work, and so knows when there is nothing left to do at this moment. */
export class Quiet {
  private isHeld = false;
  private looking: readonly Looking[] = [];

  constructor(private readonly services: Services) {
    const { dueWork } = services;
    const claimDue = dueWork.claimDue.bind(dueWork);
    dueWork.claimDue = async (...given) => (this.isHeld ? [] : claimDue(...given));
  }

  watch({ due, webhooks }: Worker): void {
    this.looking = [due, webhooks];
  }

  /** Runs the task while the worker is given nothing to do. */
  async holding<T>(task: () => Promise<T>): Promise<T> {
    this.isHeld = true;
    try {
      return await task();
    } finally {
      this.isHeld = false;
    }
  }

  /** Everything that is due has been done, nothing is being done, and all that follows is shown. */
  async reached(): Promise<void> {
    const { log, caughtUp } = this.services;
    const deadline = performance.now() + AT_MOST;
    for (;;) {
      const head = await log.head();
      const isCaughtUp = await caughtUp(RUNNERS, AT_MOST);
      const isIdle = await Promise.all(this.looking.map(findsNothing));
      if (isCaughtUp && !isIdle.includes(false) && (await log.head()) === head) return;
      if (performance.now() > deadline)
        throw new Error(`is not quiet: ${JSON.stringify(this.looking.map(({ activity }) => activity))}`);
    }
  }
}

/** Whether the next looks find nothing to do, and nothing is under way. */
const findsNothing = async (looking: Looking): Promise<boolean> => {
  const before = looking.activity.looks;
  const deadline = performance.now() + AT_MOST;
  do {
    // A clock that was set does not wake whoever waits by it.
    looking.nudge();
    await delay(1);
    if (looking.activity.isBusy || performance.now() > deadline) return false;
    // The look that was under way may have been begun before the clock was set.
  } while (looking.activity.looks < before + 2);
  return true;
};
