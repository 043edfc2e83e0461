import { setTimeout as delay } from 'node:timers/promises';
import type { DueItem } from '#kernel';
import { ENROLLMENT_COUNT, METERING, PUBLISHER, SCAN_PLACES } from '#processes';
import { type DueKind, dueWorkProjection, READ_MODELS, ReadModel } from '#read-models';
import type { Services } from '../../../apps/composition/src/index.js';

const RUNNERS = [READ_MODELS, PUBLISHER, METERING, SCAN_PLACES, ENROLLMENT_COUNT];
const KINDS: Readonly<Record<DueKind, true>> = {
  admission: true,
  scan: true,
  enrollment: true,
  slot: true,
  authorizationEnd: true,
  scheduledScan: true,
  caseWalk: true,
  rosterSync: true,
};
const PATIENCE = 20_000;

/** Knows whether there is anything left to do at this moment. */
export class Quiet {
  private readonly dueWork: ReadModel<DueItem>;

  constructor(private readonly services: Services) {
    this.dueWork = new ReadModel(dueWorkProjection, services.documents, services.live);
  }

  async reached(): Promise<void> {
    const { log, caughtUp } = this.services;
    const deadline = performance.now() + PATIENCE;
    for (;;) {
      const head = await log.head();
      const isCaughtUp = await caughtUp(RUNNERS, PATIENCE);
      const open = await this.openWork();
      if (isCaughtUp && open.length === 0 && (await log.head()) === head) return;
      if (performance.now() > deadline) throw new Error(`is not quiet: ${JSON.stringify(open)}`);
      this.nudge();
      await delay(2);
    }
  }

  /** What is due, and what is being done. */
  private async openWork(): Promise<DueItem[]> {
    const now = this.services.clock.now();
    const found = await Promise.all([
      ...Object.keys(KINDS).map((kind) => this.dueWork.find({ index: 'ready', equals: [kind], lte: now, limit: 10 })),
      this.dueWork.find({ index: 'claimed', gt: '', limit: 10 }),
    ]);
    return found.flat();
  }

  /** A clock that was set does not wake whoever waits by it. */
  private nudge(): void {
    this.services.progress.report('the clock of a test', 0);
  }
}
