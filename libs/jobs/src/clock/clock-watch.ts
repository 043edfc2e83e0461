import { type Clock, type Duration, type EventLog, type Instant, type Logger, MINUTE, SECOND } from '#kernel';

/** `moved`: against the monotonic clock. `behind_the_log`: the log's last event bears a later time. */
export const CLOCK_FAULTS = ['moved', 'behind_the_log'] as const;
type ClockFault = (typeof CLOCK_FAULTS)[number];

const CHECK_INTERVAL: Duration = 10 * SECOND;
const MAX_MOVE: Duration = 2 * SECOND;
const MAX_BEHIND: Duration = MINUTE;
/** A move is shown for this long, because a clock that was corrected has moved too. */
const MOVE_SHOWN_FOR: Duration = 10 * MINUTE;

/** Says when the wall clock of this process may be wrong (D93). The process goes on. */
export class ClockWatch {
  private offset: Duration;
  private movedAt: Duration | undefined;
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
    const last = await lastEventAt(this.log);
    const behindBy = last === undefined ? 0 : last - this.clock.now();
    const wasBehind = this.isBehind;
    this.isBehind = behindBy > MAX_BEHIND;
    if (this.isBehind && !wasBehind) {
      this.logger.warn({ behind_by_ms: behindBy }, 'the clock is behind the last event of the log');
    }
  }

  /** What the last check has found. */
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
    this.logger.warn({ moved_by_ms: movedBy }, 'the clock was set while the process ran');
  }
}

/** When the last event of the log was recorded; undefined for an empty log. */
const lastEventAt = async (log: Pick<EventLog, 'head' | 'readLog' | 'readStream'>): Promise<Instant | undefined> => {
  const { last } = await log.readLog({ after: await log.head(), types: new Set(), limit: 1 });
  if (last === undefined) return undefined;
  const [event] = await log.readStream(last.stream, { from: last.revision, limit: 1 });
  return event?.metadata.at;
};
