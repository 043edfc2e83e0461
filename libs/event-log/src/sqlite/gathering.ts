import { performance } from 'node:perf_hooks';
import type { Duration } from '#kernel';

/** How many times as long as a commit takes the next one may wait for more appends: so commits take a fifth of a turn. */
const TIMES = 4;
const LONGEST: Duration = 2;
/** Commits that do not wait, at most, after a wait that brought nothing. */
const MOST_SKIPPED = 64;

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/**
 * Decides whether a commit waits for more appends. A sync to disk holds up everything else in the process, so that
 * under load few large commits serve more requests than many small ones; a writer who waits for its own append before
 * the next gains nothing by that. Which of the two it is, a wait shows: one that brought nobody is not soon repeated.
 */
export class Gathering {
  #commit: Duration = 0;
  #skipped = 0;
  #toSkip = 0;

  /** How long the last commit took. */
  took(duration: Duration): void {
    this.#commit = duration;
  }

  /** `size` says how many appends there are by now, and is to reach no more than `enough`. */
  async wait(size: () => number, enough: number): Promise<void> {
    const before = size();
    if (before >= enough || this.#skipped++ < this.#toSkip) return;
    this.#skipped = 0;
    const until = performance.now() + Math.min(TIMES * this.#commit, LONGEST);
    // Turns and no timer, which would wait for a whole millisecond and more.
    while (performance.now() < until && size() < enough) await nextTurn();
    this.#toSkip = size() > before ? 0 : Math.min(2 * this.#toSkip + 1, MOST_SKIPPED);
  }
}
