import type { Instant } from '#kernel';

/** Answers as they are counted: how long each took, and how many there were of each kind. */
export class Answers {
  readonly #durations: number[] = [];
  readonly #begins: number[] = [];
  readonly #byName = new Map<string, number[]>();

  add(kind: string, status: number, ms: number): void {
    this.#durations.push(ms);
    this.#begins.push(Date.now() - ms);
    const name = `${status} ${kind}`;
    const others = this.#byName.get(name);
    if (others === undefined) this.#byName.set(name, [ms]);
    else others.push(ms);
  }

  get report(): AnswerReport {
    const byName = [...this.#byName];
    return {
      durations: this.#durations,
      begins: this.#begins,
      counts: Object.fromEntries(byName.map(([name, durations]) => [name, durations.length])),
      p99s: Object.fromEntries(byName.map(([name, durations]) => [name, percentile(durations, 0.99)])),
    };
  }
}

export interface AnswerReport {
  readonly durations: readonly number[];
  readonly begins: readonly Instant[];
  /** By status and kind, such as `200 GET scan`. */
  readonly counts: Readonly<Record<string, number>>;
  /** In milliseconds, of the same. */
  readonly p99s: Readonly<Record<string, number>>;
}

export const percentile = (durations: readonly number[], share: number): number => {
  const sorted = Float64Array.from(durations).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
};

/** Answers whose status the test accepts. */
export const countOf = (counts: AnswerReport['counts'], isMeant: (status: number) => boolean): number =>
  Object.entries(counts)
    .filter(([name]) => isMeant(Number.parseInt(name, 10)))
    .reduce((sum, [, count]) => sum + count, 0);
