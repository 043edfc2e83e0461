import { setTimeout as delay } from 'node:timers/promises';
import type { Instant } from '#kernel';
import { ENROLLMENT_COUNT, METERING, PUBLISHER, SCAN_PLACES, WEBHOOK_SCHEDULING } from '#processes';
import { READ_MODELS } from '#read-models';
import type { Services } from '../../../apps/composition/src/index.js';
import type { Worker } from '../../../apps/worker/src/worker.js';
import { PATIENCE } from './patience.js';

const RUNNERS = [READ_MODELS, PUBLISHER, METERING, SCAN_PLACES, ENROLLMENT_COUNT, WEBHOOK_SCHEDULING];
const AT_MOST = 20_000 * PATIENCE;

/** How a worker last asked for work of a kind. */
interface Look {
  readonly number: number;
  readonly at: Instant;
  readonly room: number;
  readonly found: number;
}

/** Watches the worker ask for work, and so knows when there is nothing left to do at this moment. */
export class Quiet {
  private readonly latest = new Map<string, Look>();
  private readonly mostRoom = new Map<string, number>();
  private looks = 0;
  private isHeld = false;
  private webhooks: Worker['webhooks'] | undefined;

  constructor(private readonly services: Services) {
    const { dueWork } = services;
    const claim = dueWork.claim.bind(dueWork);
    dueWork.claim = async (kind, at, room, ttl) => {
      const number = ++this.looks;
      // The first time that it asks, all its hands are free.
      if (!this.mostRoom.has(kind)) this.mostRoom.set(kind, room);
      const items = this.isHeld ? [] : await claim(kind, at, room, ttl);
      this.latest.set(kind, { number, at, room, found: items.length });
      return items;
    };
  }

  /** Deliveries are found by other looks than due work. */
  watch({ webhooks }: Worker): void {
    this.webhooks = webhooks;
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
      const isIdle = await Promise.all([this.isIdleFrom(this.looks), this.nothingIsDelivered()]);
      if (isCaughtUp && !isIdle.includes(false) && (await log.head()) === head) return;
      if (performance.now() > deadline) throw new Error(`is not quiet: ${JSON.stringify([...this.latest])}`);
    }
  }

  /** Whether the next looks at every kind of work find nothing, with all hands free. */
  private async isIdleFrom(number: number): Promise<boolean> {
    const now = this.services.clock.now();
    const deadline = performance.now() + AT_MOST;
    while (performance.now() < deadline) {
      // A clock that was set does not wake whoever waits by it.
      this.services.progress.report('the clock of a test', 0);
      await delay(1);
      const fresh = [...this.latest].filter(([, look]) => look.number > number && look.at === now);
      if (fresh.some(([, { found }]) => found > 0)) return false;
      const isFree = fresh.every(([kind, { room }]) => room === this.mostRoom.get(kind));
      // One look asks for all kinds at once, so that the first has named them all.
      if (isFree && fresh.length > 0 && fresh.length === this.mostRoom.size) return true;
    }
    return false;
  }

  /** Whether the next looks for due deliveries find none, and none is under way. */
  private async nothingIsDelivered(): Promise<boolean> {
    if (this.webhooks === undefined) return true;
    const before = this.webhooks.activity.looks;
    const deadline = performance.now() + AT_MOST;
    // The look that is under way may have been begun before the clock was set.
    while (this.webhooks.activity.looks < before + 2) {
      if (this.webhooks.activity.isBusy || performance.now() > deadline) return false;
      this.webhooks.nudge();
      await delay(1);
    }
    return !this.webhooks.activity.isBusy;
  }
}
