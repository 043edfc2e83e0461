import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../support/random.js';
import type { Stage } from '../support/stage.js';

const EFFECTS = ['invite', 'dispatchScan', 'occupySlot', 'releaseSlot', 'updateIdentity'];
const READS = ['getNativeCreator', 'getCapacity', 'findInvitation', 'findScanJob', 'getScanJob', 'listLeaks'];

/** Longer than the service waits: the effect is there, and its answer comes too late. */
const TOO_LATE = 1_200;

const KINDS = [
  { kind: 'close_after' },
  { kind: 'close_after' },
  { kind: 'close_before' },
  { kind: 'status', status: 503, effect: 'before' },
  { kind: 'status', status: 503, effect: 'after' },
  { kind: 'broken_json' },
  { kind: 'delay', delay_ms: TOO_LATE, effect: 'after' },
];

/**
 * Causes faults at the platform: every call is slow, and now and then one loses its answer. The agency's own record is
 * only slow: a denied request is postponed for a minute, so a kill would find no work in progress.
 */
export class Faults {
  private readonly ended = new AbortController();
  private running: Promise<void> | undefined;

  constructor(
    private readonly stage: Stage,
    private readonly random: Random,
  ) {}

  async start(): Promise<void> {
    for (const operation of [...EFFECTS, ...READS, 'getAgency']) {
      await this.stage.fault({ operation, kind: 'delay', delay_ms: Math.round(this.random.between(20, 80)) });
    }
    for (const operation of EFFECTS) {
      const delay_ms = Math.round(this.random.between(20, 120));
      await this.stage.fault({ operation, kind: 'delay', delay_ms, effect: 'after' });
    }
    this.running = this.strike();
    // Who ends it hears of a failure.
    this.running.catch(() => undefined);
  }

  async end(): Promise<void> {
    this.ended.abort();
    await this.running;
    await this.stage.heal();
  }

  private async strike(): Promise<void> {
    while (!this.ended.signal.aborted) {
      const operation = this.random.pick(this.random.chance(0.7) ? EFFECTS : READS);
      await this.stage.fault({ operation, ...this.random.pick(KINDS), times: 1 });
      await delay(this.random.between(30, 120));
    }
  }
}
