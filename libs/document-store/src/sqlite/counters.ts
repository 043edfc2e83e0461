import type { Instant } from '#kernel/ports';
import type { Connection } from './connection.js';
import type { GroupCommit } from './group-commit.js';

const ADD = `INSERT INTO "_counters" VALUES (?, ?, ?) ON CONFLICT ("name") DO UPDATE SET
    "value" = "value" + excluded."value", "expires_at" = max("expires_at", excluded."expires_at")
  RETURNING "value"`;

export const addToCounter = (connection: Connection, counter: string, by: number, expiresAt: Instant): number =>
  Number(connection.get(ADD, counter, by, expiresAt)?.value);

export const sweepCounters = (connection: Connection, now: Instant): number =>
  connection.run('DELETE FROM "_counters" WHERE "expires_at" < ?', now);

interface Addition {
  by: number;
  expiresAt: Instant;
  /** The counter's value after all of it. */
  readonly total: Promise<number>;
}

/** What is added to one counter before a commit is one statement, and each caller has the value after its own share. */
export class Counters {
  private readonly waiting = new Map<string, Addition>();

  constructor(private readonly writes: GroupCommit) {}

  async add(counter: string, by: number, expiresAt: Instant): Promise<number> {
    const addition = this.waiting.get(counter) ?? this.begin(counter);
    addition.by += by;
    addition.expiresAt = Math.max(addition.expiresAt, expiresAt);
    const { by: untilHere } = addition;
    return (await addition.total) - addition.by + untilHere;
  }

  private begin(counter: string): Addition {
    const total = this.writes.run<'increment'>(() => {
      this.waiting.delete(counter);
      return ['increment', counter, addition.by, addition.expiresAt];
    });
    const addition: Addition = { by: 0, expiresAt: Number.NEGATIVE_INFINITY, total };
    // Nothing is added to what is refused at once; who asked hears of it.
    if (this.writes.isClosed) return addition;
    this.waiting.set(counter, addition);
    return addition;
  }
}
