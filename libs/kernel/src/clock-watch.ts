import type { Position } from './events/event.js';
import { type Clock, DAY, type Duration, type Instant, MINUTE, SECOND } from './instant.js';
import type { Logger } from './logger.js';
import type { EventLog } from './stores/event-log.js';

const EACH_FOR: Duration = 10 * MINUTE;
const ONE_A_MINUTE_FOR: Duration = 5 * DAY;

interface Moment {
  readonly head: Position;
  readonly elapsed: Duration;
}

/**
 * When this process saw the log end where, by `Clock.elapsed`: each moment of ten minutes, one a minute of five days.
 */
export class LogGrowth {
  private readonly older: Moment[] = [];
  private readonly recent: Moment[] = [];
  private start: Moment | undefined;

  /** When it first checked. */
  get startedAt(): Duration | undefined {
    return this.start?.elapsed;
  }

  add(head: Position, elapsed: Duration): void {
    this.start ??= { head, elapsed };
    if (head !== this.last?.head) this.recent.push({ head, elapsed });
    // Keeps the last moment of each minute, so that no event seems older than it is.
    for (let [first] = this.recent; first !== undefined && elapsed - first.elapsed > EACH_FOR; [first] = this.recent) {
      this.recent.shift();
      if (minuteOf(this.older.at(-1)) === minuteOf(first)) this.older.pop();
      this.older.push(first);
    }
    while (elapsed - (this.older[0]?.elapsed ?? elapsed) > ONE_A_MINUTE_FOR) this.older.shift();
  }

  get last(): Moment | undefined {
    return this.recent.at(-1) ?? this.older.at(-1);
  }

  /** When it saw the event first, at the latest `now`; undefined if the event was there before the first check. */
  firstSeen(position: Position, now: Duration): Duration | undefined {
    if (this.start === undefined || position <= this.start.head) return undefined;
    const moments = position > (this.older.at(-1)?.head ?? 0) ? this.recent : this.older;
    return moments.find(({ head }) => head >= position)?.elapsed ?? now;
  }
}

const minuteOf = (moment: Moment | undefined): number | undefined => moment && Math.floor(moment.elapsed / MINUTE);

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

/** The event that has begun a wait. */
interface Beginning {
  readonly position: Position;
  readonly at: Instant;
}

/** Detects that the wall clock of this process may be wrong, and measures waits independently of it (D93). */
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

  now(): Instant {
    return this.clock.now();
  }

  /** Checks now and until the process ends. Those who need the log report that it cannot be read. */
  start(): void {
    const check = () => void this.check().catch(() => undefined);
    check();
    setInterval(check, CHECK_INTERVAL).unref();
  }

  /** Compares both clocks with each other and the wall clock with the log; warns about new faults. */
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

  /** While a fault lasts, nothing ends permanently by the wall clock alone. */
  get faults(): readonly ClockFault[] {
    this.findMove();
    const isMoved = this.movedAt !== undefined && this.clock.elapsed() - this.movedAt < MOVE_LASTS_FOR;
    return [...(isMoved ? ['moved' as const] : []), ...(this.isBehind ? ['behind_the_log' as const] : [])];
  }

  /** The time that this clock shows when the wait has passed. */
  endFor(last: Beginning, wait: Duration): Instant {
    return this.clock.now() + this.remainingFor(last, wait);
  }

  /**
   * A short wait is measured by the monotonic clock from when this process saw the event; so is each wait while a fault
   * stands, and then that of an event from before this process watched is measured from then on.
   */
  remainingFor({ position, at }: Beginning, wait: Duration): Duration {
    if (wait <= 0) return 0;
    const elapsed = this.clock.elapsed();
    const seen = this.growth.firstSeen(position, elapsed);
    const rest = wait - (elapsed - (seen ?? this.growth.startedAt ?? elapsed));
    const isMeasured = this.faults.length > 0 || (seen !== undefined && wait <= LONGEST_MEASURED);
    return Math.max(0, isMeasured ? rest : Math.min(rest, at + wait - this.clock.now()));
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
    if (head === last?.head) return;
    const { last: end } = await this.log.readLog({ after: head, types: new Set(), limit: 1 });
    const [event] = end === undefined ? [] : await this.log.readStream(end.stream, { from: end.revision, limit: 1 });
    this.lastEventAt = event?.metadata.at ?? 0;
  }
}
