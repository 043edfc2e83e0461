import type { DatabaseSync } from 'node:sqlite';
import type { LogPage, Position, ReadLog, ReadStream, RecordedEvent, StreamName } from '#kernel';
import { parseBody } from '../encoded-append.js';
import { type Query, query } from './rows.js';

/** How far one filtered page looks, so that a rare type does not make one long read: some milliseconds. */
const WINDOW = 20_000;

type Bodies = Query<[body: string]>;

const OF_STREAM = 'SELECT body FROM events WHERE stream = (SELECT id FROM streams WHERE name = ?)';
const OF_LOG = 'SELECT body FROM events WHERE position > ? AND position <= ?';
// The kinds are looked up by the statement that uses them: one that another process has just added is not missed.
const OF_KINDS = `${OF_LOG} AND kind IN (
  SELECT id FROM kinds
  WHERE (?3 IS NULL OR type IN (SELECT value FROM json_each(?3)))
    AND (?4 IS NULL OR category IN (SELECT value FROM json_each(?4))))`;
const UNLIMITED = -1;

/** Short reads, each one statement. What is left out by a filter is never parsed. */
export class Reader {
  readonly #forwards: Bodies;
  readonly #backwards: Bodies;
  readonly #log: Bodies;
  readonly #filtered: Bodies;
  readonly #head: Query<[position: number]>;

  constructor(db: DatabaseSync) {
    this.#forwards = query(db, `${OF_STREAM} AND revision >= ? ORDER BY revision LIMIT ?`);
    this.#backwards = query(db, `${OF_STREAM} AND revision <= ? ORDER BY revision DESC LIMIT ?`);
    this.#log = query(db, `${OF_LOG} ORDER BY position LIMIT ?`);
    this.#filtered = query(db, `${OF_KINDS} ORDER BY position LIMIT ?5`);
    this.#head = query(db, 'SELECT coalesce(max(position), 0) FROM events');
  }

  head(): Position {
    return this.#head.get()?.[0] ?? 0;
  }

  stream(stream: StreamName, { from, direction, limit = UNLIMITED }: ReadStream): RecordedEvent[] {
    const rows =
      direction === 'backwards'
        ? this.#backwards.all(stream, from ?? Number.MAX_SAFE_INTEGER, limit)
        : this.#forwards.all(stream, from ?? 0, limit);
    return parseRows(rows);
  }

  log({ after, limit = 1_000, types, categories }: ReadLog): LogPage {
    // All up to the head is committed and never changes, so that the page is right though it is a second statement.
    const head = this.head();
    const filtered = types !== undefined || categories !== undefined;
    const upTo = filtered ? Math.min(head, after + WINDOW) : head;
    const rows = filtered
      ? this.#filtered.all(after, upTo, jsonArray(types), jsonArray(categories), limit)
      : this.#log.all(after, upTo, limit);
    const events = parseRows(rows);
    const reached = events.length < limit ? Math.max(after, upTo) : (events.at(-1)?.position ?? after);
    return { events, reached, atEnd: reached >= head };
  }
}

const jsonArray = (values: ReadonlySet<string> | undefined) => (values ? JSON.stringify([...values]) : null);

const parseRows = (rows: readonly [body: string][]): RecordedEvent[] => rows.map((row) => parseBody(row[0]));
