import type { Duration, Instant, Position } from '#kernel';

/** With a sample a second: more than an hour as they are, then a day with one of every 16. */
const MAX_RECENT = 4_096;
const MAX_OLDER = 5_400;
const KEPT_OF = 16;

export interface Sample {
  readonly head: Position;
  /** Both clocks of this process when the log ended there. */
  readonly elapsed: Duration;
  readonly now: Instant;
}

/** The order of the log is a clock that all processes share: an event after a seen head was appended after that moment. */
export class LogGrowth {
  private older: Sample[] = [];
  private recent: Sample[] = [];

  get first(): Sample | undefined {
    return this.older[0] ?? this.recent[0];
  }

  get last(): Sample | undefined {
    return this.recent.at(-1);
  }

  add(sample: Sample): void {
    // While the head is the same, the latest moment is the better bound for the next event.
    const isSame = this.last?.head === sample.head && this.recent.at(-2)?.head === sample.head;
    if (isSame) this.recent.pop();
    this.recent.push(sample);
    if (this.recent.length <= MAX_RECENT) return;
    const aged = this.recent.splice(0, MAX_RECENT / 2).filter((_, n) => n % KEPT_OF === 0);
    this.older = [...this.older, ...aged].slice(-MAX_OLDER);
  }

  /** The last sample without the event, and the first one with it. Undefined if the event was there before the first. */
  around(position: Position, present: Sample): { readonly before: Sample; readonly after: Sample } | undefined {
    const [recent] = this.recent;
    const isOlder = recent === undefined || position <= recent.head;
    const samples = isOlder ? this.older : this.recent;
    let [low, high] = [0, samples.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((samples[middle]?.head ?? 0) < position) low = middle + 1;
      else high = middle;
    }
    const before = samples[low - 1];
    return before && { before, after: samples[low] ?? (isOlder ? recent : undefined) ?? present };
  }
}
