import { setImmediate as nextTurn } from 'node:timers/promises';
import { categoryOf } from '#kernel';

/** The kinds of calls that are counted, as the columns of the table name them. */
export const KINDS = ['stream reads', 'log reads', 'appends', 'lookups', 'writes'] as const;
export type Kind = (typeof KINDS)[number];

/** The store calls of one request, reaction or task. */
export class StoreCalls {
  /** How many times it waits: calls that are under way at the same time are one round. */
  rounds = 0;
  private readonly counts = new Map<Kind, Map<string, number>>();
  private underWay = 0;
  private answered: (() => void)[] = [];
  private readonly streams = new Set<string>();

  /** The subject is a collection, a category, or the stream that is read. */
  note(kind: Kind, subject: string): void {
    this.count(kind, kind === 'stream reads' ? this.readOf(subject) : subject);
  }

  add(other: StoreCalls): void {
    for (const [kind, counts] of other.counts) {
      for (const [subject, count] of counts) for (let n = 0; n < count; n++) this.count(kind, subject);
    }
    this.rounds += other.rounds;
  }

  totalOf(kind: Kind): number {
    return [...(this.counts.get(kind)?.values() ?? [])].reduce((sum, count) => sum + count, 0);
  }

  countOf(kind: Kind, subject: string): number {
    return this.counts.get(kind)?.get(subject) ?? 0;
  }

  /** Such as `3: agency, creator × 2`; empty where there is none. */
  textOf(kind: Kind): string {
    const texts = sorted(this.counts.get(kind)).map(([subject, count]) => times(subject, count));
    return texts.length === 0 ? '' : `${this.totalOf(kind)}: ${texts.join(', ')}`;
  }

  /** Describes the rounds and calls in addition to the other's: `1 round, creator × 2, membership_confirmations`. */
  moreThan(other: StoreCalls): string {
    const rounds = this.rounds - other.rounds;
    const more = KINDS.flatMap((kind) =>
      sorted(this.counts.get(kind)).flatMap(([subject, count]) => {
        const extra = count - other.countOf(kind, subject);
        return extra > 0 ? [times(subject, extra)] : [];
      }),
    );
    return [...(rounds > 0 ? [`${rounds} ${rounds === 1 ? 'round' : 'rounds'}`] : []), ...more].join(', ');
  }

  /** Answers all calls of a round together, so that how many rounds there are does not depend on which store is faster. */
  async inRound<T>(call: () => Promise<T>): Promise<T> {
    this.underWay++;
    try {
      return await call();
    } finally {
      const roundOver = new Promise<void>((resolve) => this.answered.push(resolve));
      this.underWay--;
      await nextTurn();
      if (this.underWay === 0 && this.answered.length > 0) {
        this.rounds++;
        for (const resolve of this.answered.splice(0)) resolve();
      }
      await roundOver;
    }
  }

  /** The category of the stream, and `again` where this work has read it before. */
  private readOf(stream: string): string {
    const category = categoryOf(stream);
    if (this.streams.has(stream)) return `${category} again`;
    this.streams.add(stream);
    return category;
  }

  private count(kind: Kind, subject: string): void {
    const ofKind = this.counts.get(kind) ?? new Map<string, number>();
    this.counts.set(kind, ofKind.set(subject, (ofKind.get(subject) ?? 0) + 1));
  }
}

const times = (subject: string, count: number): string => (count === 1 ? subject : `${subject} × ${count}`);

const sorted = (counts: ReadonlyMap<string, number> = new Map()): [string, number][] =>
  [...counts].sort(([one], [other]) => (one < other ? -1 : 1));
