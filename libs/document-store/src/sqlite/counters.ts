import { type Duration, GroupCommit, type Instant, retryWhileBusy, StoreUnavailable } from '#kernel/ports';
import type { Connection } from './connected.js';
import { BUSY_TIMEOUT, connected } from './connected.js';
import { asStoreError } from './sqlite-error.js';

/** Small pages, because each commit writes the whole page of a counter; and no wait that blocks this thread. */
const SETTINGS = { pageBytes: 1_024, cacheKib: 256, checkpointPages: 16_384, blocksFor: 0, busyFor: 0 };
const NAME = 'the embedded document store';
const LONGEST_PAUSE: Duration = 1;

const TABLE = `CREATE TABLE IF NOT EXISTS "_counters" (
  "name" TEXT PRIMARY KEY, "value" INTEGER NOT NULL, "expires_at" INTEGER NOT NULL) STRICT, WITHOUT ROWID`;
const ADD = `INSERT INTO "_counters" VALUES (?, ?, ?) ON CONFLICT ("name") DO UPDATE SET
    "value" = "value" + excluded."value", "expires_at" = max("expires_at", excluded."expires_at")
  RETURNING "value"`;
const SWEEP = 'DELETE FROM "_counters" WHERE "expires_at" < ?';

interface Addition {
  readonly counter: string;
  readonly by: number;
  readonly expiresAt: Instant;
}

/** In a separate file, so that counting does not wait for read models; additions of one turn share a statement. */
export class Counters {
  private connection: Connection | undefined;
  private readonly additions = new GroupCommit<Addition, number>(NAME, (group) =>
    this.whenFree((connection) => countedTogether(connection, group)),
  );
  private sweeping: Promise<number> | undefined;
  private isClosed = false;

  constructor(private readonly file: string) {}

  add(counter: string, by: number, expiresAt: Instant): Promise<number> {
    return this.additions.add({ counter, by, expiresAt });
  }

  async sweep(now: Instant): Promise<number> {
    if (this.isClosed) throw new StoreUnavailable(`${NAME} is closed`);
    this.sweeping = this.whenFree((connection) => connection.run(SWEEP, now));
    return this.sweeping;
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await Promise.allSettled([this.additions.close(), this.sweeping]);
    this.connection?.close();
  }

  /** Waits until other processes have written, without blocking this one. Throws `StoreUnavailable`. */
  private async whenFree<T>(task: (connection: Connection) => T): Promise<T> {
    const work = () => {
      this.connection ??= connected(this.file, SETTINGS, prepared);
      return task(this.connection);
    };
    try {
      return await retryWhileBusy(work, BUSY_TIMEOUT, LONGEST_PAUSE);
    } catch (error) {
      throw asStoreError(error, this.file);
    }
  }
}

const prepared = (connection: Connection): Connection => {
  connection.run(TABLE);
  // Files of earlier versions have this index; each count would have to update it.
  connection.run('DROP INDEX IF EXISTS "_counters.expires_at"');
  return connection;
};

const countedTogether = (connection: Connection, additions: readonly Addition[]): number[] => {
  const sums = new Map<string, { by: number; expiresAt: Instant }>();
  const before = additions.map(({ counter, by, expiresAt }) => {
    const sum = sums.get(counter);
    sums.set(counter, { by: (sum?.by ?? 0) + by, expiresAt: Math.max(sum?.expiresAt ?? expiresAt, expiresAt) });
    return sum?.by ?? 0;
  });
  // Read to the end, because only then is it known whether the commit failed.
  const count = () =>
    new Map(
      [...sums].map(([counter, { by, expiresAt }]) => {
        const [row] = connection.all(ADD, counter, by, expiresAt);
        return [counter, Number(row?.value) - by];
      }),
    );
  const starts = sums.size === 1 ? count() : connection.writing(count);
  return additions.map(({ counter, by }, index) => (starts.get(counter) ?? 0) + (before[index] ?? 0) + by);
};
