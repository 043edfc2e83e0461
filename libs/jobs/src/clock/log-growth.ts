import { DAY, type Duration, MINUTE, type Position } from '#kernel';

const EACH_FOR: Duration = 10 * MINUTE;
const ONE_A_MINUTE_FOR: Duration = 5 * DAY;

interface Moment {
  readonly head: Position;
  readonly elapsed: Duration;
}

/** When this process saw the log end where, by `Clock.elapsed`: each moment of ten minutes, one of each minute of five days. */
export class LogGrowth {
  private readonly older: Moment[] = [];
  private readonly recent: Moment[] = [];
  private start: Moment | undefined;

  /** When it looked first. */
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

  /** When it saw the event first, at the latest `now`; undefined if the event was there before, or nobody has looked yet. */
  firstSeen(position: Position, now: Duration): Duration | undefined {
    if (this.start === undefined || position <= this.start.head) return undefined;
    const moments = position > (this.older.at(-1)?.head ?? 0) ? this.recent : this.older;
    return moments.find(({ head }) => head >= position)?.elapsed ?? now;
  }
}

const minuteOf = (moment: Moment | undefined): number | undefined => moment && Math.floor(moment.elapsed / MINUTE);
