import type { DatabaseSync } from 'node:sqlite';
import { type Cache, Caches } from '#kernel';
import { heard, type Position, type Revision, type StreamName } from '#kernel/ports';
import { type Query, query } from './rows.js';

/** Some 50,000 streams. */
const LIMITS = { bytes: 10 * 1024 * 1024, entryBytes: 200 };
/** When more than that has come since the last look, it is cheaper to forget everything. */
const WORTH_READING = 1_000;

/**
 * After which revision nothing follows in a stream. Most reads ask whether a stream has grown, and most often it has
 * not: one look at the log's head answers most of them, up to the end of the callback in which it was asked for and of
 * all that is resolved by then. What is asked there was sent before, or comes of what has been heard from the stores:
 * after that there is another look.
 */
export class StreamEnds {
  readonly #head: Query<[position: number]>;
  readonly #changed: Query<[stream: StreamName]>;
  readonly #ends: Cache<StreamName, Revision>;
  /** All that is remembered is right as of here. */
  #through: Position = 0;
  /** What had been heard at the last look in this callback; undefined before it. */
  #heard: number | undefined;

  constructor(db: DatabaseSync, caches = Caches.ON) {
    this.#ends = caches.create(LIMITS);
    this.#head = query(db, 'SELECT coalesce(max(position), 0) FROM events');
    this.#changed = query(
      db,
      'SELECT DISTINCT name FROM events JOIN streams ON streams.id = stream WHERE position > ? AND position <= ?',
    );
  }

  /** Whether nothing follows the revision, with all that had been committed elsewhere when this callback began, or anything was heard. */
  isAt(stream: StreamName, revision: Revision): boolean {
    if (this.#heard !== heard.times) {
      // A look only ever forgets.
      if (this.#ends.peek(stream) !== revision) return false;
      this.saw(this.#head.get()?.[0] ?? 0);
    }
    // Not moved up among the remembered ones: that costs more than reading a forgotten one once in a while.
    return this.#ends.peek(stream) === revision;
  }

  /** As it has just been read. */
  set(stream: StreamName, revision: Revision): void {
    this.#ends.set(stream, revision);
  }

  /** A group of this process was written between these two heads, and has left streams at these ends. */
  wrote(before: Position, after: Position, ends: Iterable<readonly [StreamName, Revision]>): void {
    // Else somebody else has written too, or this has been seen already, with more that followed.
    const isUpToDate = this.#through === before || this.#through === after;
    for (const [stream, revision] of ends) {
      if (isUpToDate) this.#ends.set(stream, revision);
      else this.#ends.delete(stream);
    }
    if (isUpToDate) this.#through = after;
    // Whoever goes on after the append is to see what others had appended before it.
    else heard.times++;
  }

  /** The head as it has just been read. */
  saw(head: Position): void {
    if (head !== this.#through) this.#forgetChanged(head);
    if (this.#heard === undefined) {
      // Before the next callback, and not among the immediates: other input may come before those.
      process.nextTick(() => {
        this.#heard = undefined;
      });
    }
    this.#heard = heard.times;
  }

  #forgetChanged(head: Position): void {
    if (head - this.#through > WORTH_READING) this.#ends.clear();
    else for (const [stream] of this.#changed.all(this.#through, head)) this.#ends.delete(stream);
    this.#through = head;
  }
}
