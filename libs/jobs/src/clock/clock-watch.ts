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
import { LogGrowth, type Sample } from './log-growth.js';

/** `moved`: against the monotonic clock. `behind_the_log`: the log's last event bears a later time. */
export const CLOCK_FAULTS = ['moved', 'behind_the_log'] as const;
type ClockFault = (typeof CLOCK_FAULTS)[number];

const CHECK_INTERVAL: Duration = SECOND;
const MAX_MOVE: Duration = 2 * SECOND;
const MAX_BEHIND: Duration = MINUTE;
/** Between this clock and the time of an event that appeared, or of a lease that was renewed: both may wait for some seconds. */
const MAX_DIFFERENCE: Duration = 10 * SECOND;
/** A move is shown for this long, because a clock that was corrected has moved too. */
const MOVE_SHOWN_FOR: Duration = 10 * MINUTE;
/** Longer than it takes to observe two renewals of a lease. */
const COMPARED_AFTER: Duration = 4 * SECOND;
/** Longer than a wait between attempts. */
const DOUBT_LASTS_FOR: Duration = DAY;

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
  private doubtedAt: Duration | undefined;
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

  /** Compares the clocks, and with the log; warns of what is new. */
  async check(): Promise<void> {
    this.compareClocks();
    await this.compareWithLog();
    const behindBy = this.lastEventAt - this.clock.now();
    const wasBehind = this.isBehind;
    this.isBehind = behindBy > MAX_BEHIND;
    if (this.isBehind && !wasBehind) {
      this.logger.warn({ behind_by_ms: behindBy }, 'the clock is behind the last event of the log');
    }
  }

  /** This clock is behind the log, or within a day it was set, or differed from that of a process that appended events. */
  get isInDoubt(): boolean {
    this.compareClocks();
    const since = this.isBehind ? this.clock.elapsed() : this.doubtedAt;
    return since !== undefined && this.clock.elapsed() - since < DOUBT_LASTS_FOR;
  }

  /** How much is left of such a wait after the last event of a stream. */
  remainingFor({ position, at }: Pick<Plan, 'position' | 'at'>, wait: Duration): Duration {
    return this.remaining({ position, at, until: at + wait });
  }

  /** What this clock shows when such a wait has passed. */
  endFor(last: Pick<Plan, 'position' | 'at'>, wait: Duration): Instant {
    return this.clock.now() + this.remainingFor(last, wait);
  }

  /** Another process's clock showed `other` at some time since this one showed `since`. */
  compare(other: Instant, since: Instant): void {
    const isLevel = other >= since - MAX_DIFFERENCE && other <= this.clock.now() + MAX_DIFFERENCE;
    if (!isLevel) this.doubtedAt = this.clock.elapsed();
  }

  /**
   * How much of the wait is left. The wall clock decides only if it agreed with the writer's when the event appeared.
   * Otherwise the wait is measured by the monotonic clock from when this process first saw the log with the event.
   */
  remaining({ position, at, until }: Plan): Duration {
    const wait = until - at;
    if (wait <= 0) return 0;
    const present = this.sample(position);
    const seen = this.growth.around(position, present);
    const since = seen?.after ?? this.growth.first ?? present;
    const rest = wait - (present.elapsed - since.elapsed);
    if (seen !== undefined && !agrees(at, seen.before, seen.after, present)) return Math.max(0, rest);
    if (seen === undefined && this.isInDoubt) return Math.max(0, rest);
    return Math.max(0, Math.min(rest, Math.max(until - present.now, seen ? 0 : this.untilCompared)));
  }

  get faults(): readonly ClockFault[] {
    const isMoved = this.movedAt !== undefined && this.clock.elapsed() - this.movedAt < MOVE_SHOWN_FOR;
    return [...(isMoved ? ['moved' as const] : []), ...(this.isBehind ? ['behind_the_log' as const] : [])];
  }

  private compareClocks(): void {
    const elapsed = this.clock.elapsed();
    const offset = this.clock.now() - elapsed;
    const movedBy = Math.round(offset - this.offset);
    this.offset = offset;
    if (Math.abs(movedBy) <= MAX_MOVE) return;
    this.movedAt = elapsed;
    this.doubtedAt = elapsed;
    this.logger.warn({ moved_by_ms: movedBy }, 'the clock was set while the process ran');
  }

  private async compareWithLog(): Promise<void> {
    const { last } = this.growth;
    const head = await this.log.head();
    const sample = this.sample(head);
    this.growth.add(sample);
    if (head === last?.head) return;
    this.lastEventAt = (await lastEventAt(this.log)) ?? 0;
    if (last === undefined) return;
    this.compare(this.lastEventAt, last.now);
  }

  /** By then a lease of another process was renewed, which shows its clock. */
  private get untilCompared(): Duration {
    const { first } = this.growth;
    return first === undefined ? 0 : COMPARED_AFTER - (this.clock.elapsed() - first.elapsed);
  }

  private sample(head: Position): Sample {
    return { head, elapsed: this.clock.elapsed(), now: this.clock.now() };
  }
}

/** The event bears a time at which this clock may have shown the same, and this clock was not set since then. */
const agrees = (at: Instant, before: Sample, after: Sample, present: Sample): boolean => {
  const offset = ({ now, elapsed }: Sample) => now - elapsed;
  const isSteady = [before, after].every((sample) => Math.abs(offset(sample) - offset(present)) <= MAX_MOVE);
  return isSteady && at >= before.now - MAX_MOVE && at <= after.now + MAX_MOVE;
};

/** When the last event of the log was recorded; undefined for an empty log. */
const lastEventAt = async (log: Pick<EventLog, 'head' | 'readLog' | 'readStream'>): Promise<Instant | undefined> => {
  const { last } = await log.readLog({ after: await log.head(), types: new Set(), limit: 1 });
  if (last === undefined) return undefined;
  const [event] = await log.readStream(last.stream, { from: last.revision, limit: 1 });
  return event?.metadata.at;
};
