import type { DatabaseSync } from 'node:sqlite';
import { LRUCache } from 'lru-cache';
import type { Position, Revision, StreamName } from '#kernel';
import { type Query, query } from './rows.js';

const REMEMBERED = 50_000;
/** When more than that has come since the last look, it is cheaper to forget everything. */
const WORTH_READING = 1_000;

/**
 * After which revision nothing follows in a stream. Most reads ask whether a stream has grown, and most often it has
 * not: one look at the file in a turn of the event loop answers for all of them. What is asked in a turn was sent
 * before it or comes of something that was, so that whatever had been acknowledged elsewhere by then is seen.
 */
export class StreamEnds {
  readonly #dataVersion: Query<[version: number]>;
  readonly #head: Query<[position: number]>;
  readonly #changed: Query<[stream: StreamName]>;
  readonly #ends = new LRUCache<StreamName, Revision>({ max: REMEMBERED });
  #version: number | undefined;
  #through: Position = 0;
  #hasLooked = false;

  constructor(db: DatabaseSync) {
    this.#dataVersion = query(db, 'PRAGMA data_version');
    this.#head = query(db, 'SELECT coalesce(max(position), 0) FROM events');
    this.#changed = query(
      db,
      'SELECT DISTINCT name FROM events JOIN streams ON streams.id = stream WHERE position > ? AND position <= ?',
    );
  }

  /** Whether nothing follows the revision, with all that other connections had committed when the turn began. */
  isAt(stream: StreamName, revision: Revision): boolean {
    this.#look();
    // Not moved up among the remembered ones: that costs more than reading a forgotten one once in a while.
    return this.#ends.peek(stream) === revision;
  }

  /** As this connection has just read or written it; undefined where it may be anywhere. */
  set(stream: StreamName, revision: Revision | undefined): void {
    this.#ends.set(stream, revision);
  }

  #look(): void {
    if (this.#hasLooked) return;
    // It changes with the commits of other connections only. Read first, it misses none that comes while we look.
    const version = this.#dataVersion.get()?.[0];
    if (version !== this.#version) this.#forgetChanged();
    this.#version = version;
    this.#hasLooked = true;
    setImmediate(() => {
      this.#hasLooked = false;
    });
  }

  #forgetChanged(): void {
    const head = this.#head.get()?.[0] ?? 0;
    if (head - this.#through > WORTH_READING) this.#ends.clear();
    else for (const [stream] of this.#changed.all(this.#through, head)) this.#ends.delete(stream);
    this.#through = head;
  }
}
