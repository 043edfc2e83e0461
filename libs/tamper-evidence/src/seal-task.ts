import type { StandingTask } from '#jobs';
import { type Clock, type Duration, type Logger, SECOND } from '#kernel';
import { type LastSeals, SealsMissing } from './last-seals.js';
import type { Sealing } from './sealing.js';

/** The leader's standing task that seals the log. A seal that failed is tried again, and is never a dead letter (D91). */
export class SealTask implements StandingTask {
  readonly interval: Duration = 3 * SECOND;
  private isAdopted = false;
  private lastFault: string | undefined;

  constructor(
    private readonly sealing: Sealing,
    private readonly clock: Clock,
    private readonly logger: Logger,
    private readonly lastSeals?: LastSeals,
  ) {}

  async runDue(): Promise<void> {
    const head = await this.sealing.head();
    if (this.sealing.isIdleAt(head)) return;
    await this.adopt();
    await this.sealing.runDue(this.clock.now(), head);
    this.lastFault = undefined;
  }

  async run(): Promise<void> {
    try {
      await this.runDue();
    } catch (error) {
      this.report(error);
    }
  }

  private async adopt(): Promise<void> {
    if (this.isAdopted) return;
    const seal = await this.lastSeals?.adopt();
    this.isAdopted = true;
    if (seal === undefined) return;
    this.logger.warn(
      { seal: seal.id, events: seal.count },
      'the key store remembered no seal of this log, and remembers the last one from now on. This happens once, after an ' +
        'update; at any other time somebody has changed the key store: run `events verify` with a seal that is kept elsewhere',
    );
  }

  /** A fault that persists is logged once. */
  private report(error: unknown): void {
    if (!(error instanceof SealsMissing)) {
      this.logger.error({ err: error }, 'could not seal the log; trying again');
      return;
    }
    if (error.message !== this.lastFault) this.logger.error({ fault: 'seals_missing' }, error.message);
    this.lastFault = error.message;
  }
}
