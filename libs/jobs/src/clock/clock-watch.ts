import {
  type Clock,
  DAY,
  type Duration,
  type EventLog,
  type Instant,
  type Logger,
  MINUTE,
  type Position,
  SECOND,
} from '#kernel';
import { LogGrowth } from './log-growth.js';

/** `moved`: against the monotonic clock. `behind_the_log`: the log's last event bears a later time. */
export const CLOCK_FAULTS = ['moved', 'behind_the_log'] as const;
type ClockFault = (typeof CLOCK_FAULTS)[number];

const CHECK_INTERVAL: Duration = SECOND;
const MAX_MOVE: Duration = 2 * SECOND;
const MAX_BEHIND: Duration = MINUTE;
/** Longer than a wait between attempts. */
const MOVE_LASTS_FOR: Duration = DAY;
/** Waits up to this length are measured by the monotonic clock. */
const LONGEST_MEASURED: Duration = 10 * MINUTE;

/** An event has planned something for `until`. */
export interface Plan {
  readonly position: Position;
  readonly at: Instant;
  readonly until: Instant;
}

/** Says when the wall clock of this process may be wrong, and how long a wait lasts whichever clock is (D93). */
export class ClockWatch {
  private readonly growth = new LogGrowth();
  private offset: Duration;
  private movedAt: Duration | undefined;
  private lastEventAt: Instant = 0;
  private isBehind = false;

  constructor(
    private readonly clock: Clock,
    private readonly log: Pick<EventLog, 'head' | 'readLog' | 'readStream'>,
    private readonly logger: Logger,
  ) {
    this.offset = clock.now() - clock.elapsed();
  }

  /** Checks now and until the process ends. That the log cannot be read is reported by those who need it. */
  start(): void {
    const check = () => void this.check().catch(() => undefined);
    check();
    setInterval(check, CHECK_INTERVAL).unref();
  }

  /** Compares both clocks with each other and the wall clock with the log; warns of what is new. */
  async check(): Promise<void> {
    this.findMove();
    await this.compareWithLog();
    const behindBy = this.lastEventAt - this.clock.now();
    const wasBehind = this.isBehind;
    this.isBehind = behindBy > MAX_BEHIND;
    if (this.isBehind && !wasBehind) {
      this.logger.warn({ behind_by_ms: behindBy }, 'the clock is behind the last event of the log');
    }
  }

  /** While one stands, nothing ends for good by the wall clock alone. */
  get faults(): readonly ClockFault[] {
    this.findMove();
    const isMoved = this.movedAt !== undefined && this.clock.elapsed() - this.movedAt < MOVE_LASTS_FOR;
    return [...(isMoved ? ['moved' as const] : []), ...(this.isBehind ? ['behind_the_log' as const] : [])];
  }

  /** How much is left of such a wait after the last event of a stream. */
  remainingFor({ position, at }: Pick<Plan, 'position' | 'at'>, wait: Duration): Duration {
    return this.remaining({ position, at, until: at + wait });
  }

  /** What this clock shows when such a wait has passed. */
  endFor(last: Pick<Plan, 'position' | 'at'>, wait: Duration): Instant {
    return this.clock.now() + this.remainingFor(last, wait);
  }

  /**
   * How much of the wait is left. A short wait is measured by the monotonic clock from when this process saw the event; so
   * is each wait while a fault stands, and then that of an event from before this process watched is measured from then on.
   */
  remaining({ position, at, until }: Plan): Duration {
    const wait = until - at;
    if (wait <= 0) return 0;
    const elapsed = this.clock.elapsed();
    const seen = this.growth.firstSeen(position, elapsed);
    const rest = wait - (elapsed - (seen ?? this.growth.startedAt ?? elapsed));
    const isMeasured = this.faults.length > 0 || (seen !== undefined && wait <= LONGEST_MEASURED);
    return Math.max(0, isMeasured ? rest : Math.min(rest, until - this.clock.now()));
  }

  private findMove(): void {
    const elapsed = this.clock.elapsed();
    const offset = this.clock.now() - elapsed;
    const movedBy = Math.round(offset - this.offset);
    this.offset = offset;
    if (Math.abs(movedBy) <= MAX_MOVE) return;
    this.movedAt = elapsed;
    this.logger.warn({ moved_by_ms: movedBy }, 'the clock was set while the process ran');
  }

  private async compareWithLog(): Promise<void> {
    const { last } = this.growth;
    const head = await this.log.head();
    this.growth.add(head, this.clock.elapsed());
    if (head !== last?.head) this.lastEventAt = (await lastEventAt(this.log)) ?? 0;
  }
}

/** When the last event of the log was recorded; undefined for an empty log. */
const lastEventAt = async (log: Pick<EventLog, 'head' | 'readLog' | 'readStream'>): Promise<Instant | undefined> => {
  const { last } = await log.readLog({ after: await log.head(), types: new Set(), limit: 1 });
  if (last === undefined) return undefined;
  const [event] = await log.readStream(last.stream, { from: last.revision, limit: 1 });
  return event?.metadata.at;
};
