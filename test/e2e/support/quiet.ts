import { setTimeout as delay } from 'node:timers/promises';
import { LOG_RUNNERS } from '#contexts';
import { TIMEOUT_FACTOR } from '#testing';
import type { Poller, Services } from '../../support/open-service.js';

/** Only for what never ends: a crowded machine takes long for a thousand appends. */
const TIMEOUT = 90_000 * TIMEOUT_FACTOR;

/** Watches the worker look for work, and so knows when there is nothing left to do at this moment. */
export class Quiet {
  private isHeld = false;
  private pollers: readonly Poller[] = [];

  constructor(private readonly services: Services) {
    const { commandTasks } = services;
    const ready = commandTasks.ready.bind(commandTasks);
    commandTasks.ready = async (...given) => (this.isHeld ? [] : ready(...given));
  }

  watch(pollers: readonly Poller[]): void {
    this.pollers = pollers;
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
    const deadline = performance.now() + TIMEOUT;
    for (;;) {
      const head = await log.head();
      const isCaughtUp = await caughtUp(LOG_RUNNERS, TIMEOUT);
      const isIdle = await Promise.all(this.pollers.map(findsNothing));
      if (isCaughtUp && !isIdle.includes(false) && (await log.head()) === head) return;
      if (performance.now() > deadline)
        throw new Error(`is not quiet: ${JSON.stringify(this.pollers.map(({ activity }) => activity))}`);
    }
  }
}

/** Whether the next polls find nothing to do, and nothing is in flight. */
const findsNothing = async (poller: Poller): Promise<boolean> => {
  const before = poller.activity.polls;
  const deadline = performance.now() + TIMEOUT;
  do {
    // A clock that was set does not wake those that wait by it.
    poller.notify();
    await delay(1);
    if (poller.activity.isBusy || performance.now() > deadline) return false;
    // The poll that is under way may have started before the clock was set.
  } while (poller.activity.polls < before + 2);
  return true;
};
