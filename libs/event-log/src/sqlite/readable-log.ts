import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { damageOfCopy, openCopyForReading, type ReadableLog, type RecordedEvent } from '#kernel';
import { messageOf } from '#kernel/ports';
import { parseBody } from '../encoded-append.js';
import { type Query, query, unavailable } from './connection.js';

const EVENTS_PER_PAGE = 250;
/** No event takes less of the file. So a damaged file cannot ask for more reads than this allows. */
const MIN_EVENT_BYTES = 100;

/** A file that is only read, such as that of a backup, or one with unreadable parts. Throws `StoreUnavailable`. */
export const openSqliteReadableLog = (file: string): ReadableLog => {
  try {
    return new SqliteReadableLog(openCopyForReading(file, 'SELECT 1 FROM events', 'is left out'), file);
  } catch (error) {
    throw unavailable(error, file);
  }
};

class SqliteReadableLog implements ReadableLog {
  damage: string | undefined;
  readonly #bodies: Query<[body: string]>;

  constructor(
    private readonly db: DatabaseSync,
    private readonly file: string,
  ) {
    this.damage = damageOfCopy(file);
    this.#bodies = query(db, 'SELECT body FROM events WHERE position BETWEEN ? AND ? ORDER BY position');
  }

  async *events(): AsyncGenerator<RecordedEvent, void> {
    const end = this.#end();
    for (let from = 1; from <= end; from += EVENTS_PER_PAGE) {
      yield* this.#between(from, Math.min(end, from + EVENTS_PER_PAGE - 1));
      await setImmediate();
    }
  }

  async close(): Promise<void> {
    this.db.close();
  }

  #end(): number {
    const log = statSync(`${this.file}-wal`, { throwIfNoEntry: false });
    const most = Math.ceil((statSync(this.file).size + (log?.size ?? 0)) / MIN_EVENT_BYTES);
    try {
      const [head] = query<[number]>(this.db, 'SELECT coalesce(max(position), 0) FROM events').get() ?? [0];
      return Math.min(head, most);
    } catch (error) {
      this.#lacks(messageOf(error));
      return most;
    }
  }

  /** Halves a range that cannot be read, down to single events: one damaged page hides only its own events. */
  #between(from: number, to: number): readonly RecordedEvent[] {
    try {
      const rows = this.#bodies.all(from, to);
      // Positions have no gaps.
      if (rows.length < to - from + 1) this.#lacks('events are missing in it');
      return rows.map(([body]) => parseBody(body));
    } catch (error) {
      this.#lacks(messageOf(error));
      if (from === to) return [];
      const middle = Math.floor((from + to) / 2);
      return [...this.#between(from, middle), ...this.#between(middle + 1, to)];
    }
  }

  #lacks(what: string): void {
    this.damage ??= what;
  }
}
