import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { type Duration, type Instant, StoreUnavailable } from '#kernel/ports';
import { BUSY_TIMEOUT, connected } from './connected.js';
import type { Connection } from './connection.js';
import { asStoreError, isBusy } from './sqlite-error.js';

/** Small pages, because each commit writes the whole page of a counter. */
const SETTINGS = { pageBytes: 1_024, cacheKib: 256, checkpointPages: 16_384, busyTimeout: 0 };
const RETRY_INTERVAL: Duration = 1;

const TABLE = `CREATE TABLE IF NOT EXISTS "_counters" (
  "name" TEXT PRIMARY KEY, "value" INTEGER NOT NULL, "expires_at" INTEGER NOT NULL) STRICT, WITHOUT ROWID`;
const ADD = `INSERT INTO "_counters" VALUES (?, ?, ?) ON CONFLICT ("name") DO UPDATE SET
    "value" = "value" + excluded."value", "expires_at" = max("expires_at", excluded."expires_at")
  RETURNING "value"`;
const SWEEP = 'DELETE FROM "_counters" WHERE "expires_at" < ?';

interface Addition {
  by: number;
  expiresAt: Instant;
  /** The counter's value after all additions of this batch. */
  readonly total: PromiseWithResolvers<number>;
}

/**
 * Counters have a separate file, so counting a request waits for no read model. They are written in this thread: a
 * commit without a sync takes less than a message to a thread. What is added to a counter in one turn of the event loop is
 * one statement, and each caller gets the value after its own addition.
 */
export class Counters {
  private connection: Connection | undefined;
  private waiting = new Map<string, Addition>();
  private draining: Promise<void> | undefined;
  private sweeping: Promise<number> | undefined;
  private isClosed = false;

  /** Opened at the first count, because not every process counts. */
  constructor(private readonly file: string) {}

  async add(counter: string, by: number, expiresAt: Instant): Promise<number> {
    if (this.isClosed) throw closed();
    const addition = this.waiting.get(counter) ?? this.begin(counter);
    addition.by += by;
    addition.expiresAt = Math.max(addition.expiresAt, expiresAt);
    const { by: untilHere } = addition;
    return (await addition.total.promise) - addition.by + untilHere;
  }

  /** Deletes the expired counters, and returns how many they were. */
  async sweep(now: Instant): Promise<number> {
    if (this.isClosed) throw closed();
    this.sweeping = this.whenFree((connection) => connection.run(SWEEP, now));
    return this.sweeping;
  }

  /** Accepts no more counts, and resolves when all accepted ones are written. */
  async close(): Promise<void> {
    this.isClosed = true;
    await Promise.allSettled([this.draining, this.sweeping]);
    this.connection?.close();
  }

  private begin(counter: string): Addition {
    const addition = { by: 0, expiresAt: Number.NEGATIVE_INFINITY, total: Promise.withResolvers<number>() };
    this.waiting.set(counter, addition);
    this.draining ??= this.drain();
    return addition;
  }

  private async drain(): Promise<void> {
    while (this.waiting.size > 0) {
      await nextTurn();
      const additions = [...this.waiting];
      this.waiting = new Map();
      try {
        const totals = await this.whenFree((connection) => countedTogether(connection, additions));
        for (const [place, [, { total }]] of additions.entries()) total.resolve(Number(totals[place]));
      } catch (error) {
        for (const [, { total }] of additions) total.reject(error);
      }
    }
    this.draining = undefined;
  }

  /** Waits until other processes have written, without blocking this one. Throws `StoreUnavailable`. */
  private async whenFree<T>(task: (connection: Connection) => T): Promise<T> {
    for (const deadline = performance.now() + BUSY_TIMEOUT; ; ) {
      try {
        this.connection ??= connected(this.file, SETTINGS, prepared);
        return task(this.connection);
      } catch (error) {
        if (!isBusy(error) || performance.now() > deadline) throw asStoreError(error, this.file);
      }
      await delay(RETRY_INTERVAL);
    }
  }
}

const prepared = (connection: Connection): Connection => {
  connection.run(TABLE);
  // Files of earlier versions have this index; each count would have to update it.
  connection.run('DROP INDEX IF EXISTS "_counters.expires_at"');
  return connection;
};

const countedTogether = (connection: Connection, additions: readonly [string, Addition][]) => {
  const count = () =>
    // Read to the end, because only then it is known whether the commit failed.
    additions.map(([counter, { by, expiresAt }]) => connection.all(ADD, counter, by, expiresAt)[0]?.value);
  return additions.length === 1 ? count() : connection.writing(count);
};

const closed = () => new StoreUnavailable('the embedded document store is closed');
