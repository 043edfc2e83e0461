import type { DatabaseSync } from 'node:sqlite';
import { Caches, eventInLog } from '#kernel';
import type {
  EventInLog,
  LogChanges,
  LogFilter,
  LogPage,
  Position,
  ReadLog,
  ReadStream,
  RecordedEvent,
  Revision,
  StreamName,
} from '#kernel/ports';
import { parseBody } from '../encoded-append.js';
import { limitedTo, type Query, query } from './connection.js';

interface Known {
  readonly types: ReadonlySet<string> | undefined;
  readonly categories: ReadonlySet<string> | undefined;
  /** The last kind in the log at the time of the lookup. */
  readonly last: number;
  readonly ids: string;
}

/** The kinds that a filter admits. A follower uses the same sets for each page, and new kinds are rare. */
class Kinds {
  readonly #find: Query<[id: number]>;
  readonly #known = new WeakMap<object, Known>();

  constructor(
    db: DatabaseSync,
    private readonly remembers: boolean,
  ) {
    this.#find = query(
      db,
      `SELECT id FROM kinds
       WHERE (?1 IS NULL OR type IN (SELECT value FROM json_each(?1)))
         AND (?2 IS NULL OR category IN (SELECT value FROM json_each(?2)))`,
    );
  }

  /** Their ids as a JSON array, complete up to the kind `last`; undefined without a filter. */
  of({ types, categories }: LogFilter, last: number): string | undefined {
    const key = types ?? categories;
    if (key === undefined) return undefined;
    const known = this.#known.get(key);
    const isSame = known?.types === types && known?.categories === categories && known?.last === last;
    if (known !== undefined && isSame) return known.ids;
    const ids = JSON.stringify(this.#find.all(jsonArray(types), jsonArray(categories)).map(([id]) => id));
    if (this.remembers) this.#known.set(key, { types, categories, last, ids });
    return ids;
  }
}

const jsonArray = (values: ReadonlySet<string> | undefined) => (values ? JSON.stringify([...values]) : null);

/** How many positions one filtered page reads, so that a rare type does not cause a long read: a few milliseconds. */
const WINDOW = 20_000;
/** A page ends after this many bytes: an event may have half a megabyte. */
const PAGE_BYTES = 4 * 1024 * 1024;
/** The same for one turn of the event loop with a stream: 16 of the largest events, some 20 ms. */
const TURN_BYTES = 1024 * 1024;
/** One statement reads this many, so that a page of large events is not much longer than its limit. */
const PART_EVENTS = 16;
/** If more events follow, it is cheaper to read each requested stream again. */
const MAX_CHANGES = 1_000;
const NONE: ReadonlyMap<StreamName, Revision> = new Map();

type Bodies = Query<[body: string]>;

const OF_STREAM = 'SELECT body FROM events WHERE stream = ?';
const OF_LOG = 'SELECT body FROM events WHERE position > ? AND position <= ?';
const OF_KINDS = `${OF_LOG} AND kind IN (SELECT value FROM json_each(?3))`;
const LAST = `SELECT events.id, name, revision, position FROM events JOIN streams ON streams.id = stream
  WHERE position <= ? ORDER BY position DESC LIMIT 1`;
// One statement, so that nothing up to this head is of a later kind.
const ENDS = 'SELECT (SELECT coalesce(max(position), 0) FROM events), (SELECT coalesce(max(id), 0) FROM kinds)';

export interface StreamPart {
  readonly events: RecordedEvent[];
  readonly rest: Pick<ReadStream, 'from' | 'limit'> | undefined;
}

/** Short reads, most of one statement. An event that a filter excludes is never parsed. */
export class Reader {
  readonly #id: Query<[id: number]>;
  readonly #grown: Query<[stream: StreamName, end: Revision]>;
  readonly #forwards: Bodies;
  readonly #backwards: Bodies;
  readonly #log: Bodies;
  readonly #filtered: Bodies;
  readonly #last: Query<[id: string, stream: StreamName, revision: Revision, position: Position]>;
  readonly #head: Query<[position: number]>;
  readonly #ends: Query<[position: number, lastKind: number]>;
  readonly #kinds: Kinds;

  constructor(db: DatabaseSync, caches = Caches.ON) {
    this.#id = query(db, 'SELECT id FROM streams WHERE name = ?');
    this.#grown = query(
      db,
      `SELECT name, max(revision) FROM events JOIN streams ON streams.id = stream
       WHERE position > ? AND position <= ? GROUP BY stream`,
    );
    this.#forwards = query(db, `${OF_STREAM} AND revision >= ? ORDER BY revision ${limitedTo()}`);
    this.#backwards = query(db, `${OF_STREAM} AND revision <= ? ORDER BY revision DESC ${limitedTo()}`);
    this.#log = query(db, `${OF_LOG} ORDER BY position ${limitedTo()}`);
    this.#filtered = query(db, `${OF_KINDS} ORDER BY position ${limitedTo('?4')}`);
    this.#last = query(db, LAST);
    this.#head = query(db, 'SELECT coalesce(max(position), 0) FROM events');
    this.#ends = query(db, ENDS);
    this.#kinds = new Kinds(db, caches.areOn);
  }

  head(): Position {
    return this.#head.get()?.[0] ?? 0;
  }

  changesSince(after: Position): LogChanges {
    const head = this.head();
    if (head === after) return { head, ends: NONE };
    return { head, ends: head - after > MAX_CHANGES ? undefined : new Map(this.#grown.all(after, head)) };
  }

  stream(stream: StreamName, { from, direction, limit = Number.POSITIVE_INFINITY }: ReadStream): StreamPart {
    // A separate statement: as part of the next one it costs more, especially if the stream does not exist.
    const id = this.#id.get(stream)?.[0];
    if (id === undefined) return { events: [], rest: undefined };
    const [rows, first, step] =
      direction === 'backwards' ? [this.#backwards, Number.MAX_SAFE_INTEGER, -1] : [this.#forwards, 0, 1];
    const next = (last?: RecordedEvent) => (last === undefined ? (from ?? first) : last.revision + step);
    const read: ReadPart = (last, most) => rows.all(id, next(last), most);
    const { events, isWhole } = partByPart(read, limit, TURN_BYTES);
    const left = isWhole ? 0 : limit - events.length;
    return { events, rest: left === 0 ? undefined : { from: next(events.at(-1)), limit: left } };
  }

  log({ after, limit = 1_000, ...filter }: ReadLog): LogPage {
    // Everything up to this head is committed and never changes, so the page is right although it is a second read.
    const [head, lastKind] = this.#ends.get() ?? [0, 0];
    const kinds = this.#kinds.of(filter, lastKind);
    const upTo = kinds === undefined ? head : Math.min(head, after + WINDOW);
    const read: ReadPart = (last, most) => {
      const from = last?.position ?? after;
      return kinds === undefined ? this.#log.all(from, upTo, most) : this.#filtered.all(from, upTo, kinds, most);
    };
    const { events, isWhole } = partByPart(read, limit, PAGE_BYTES);
    const reached = isWhole ? Math.max(after, upTo) : (events.at(-1)?.position ?? after);
    return { events, reached, atEnd: reached >= head, last: this.lastUpTo(reached, events.at(-1)) };
  }

  /** A lookup by position takes some microseconds, and is needed only if the page ends with an event of another kind. */
  private lastUpTo(reached: Position, lastOfPage: RecordedEvent | undefined): EventInLog | undefined {
    if (lastOfPage?.position === reached) return eventInLog(lastOfPage);
    const [id, stream, revision, position] = this.#last.get(reached) ?? [];
    if (id === undefined || stream === undefined || revision === undefined || position === undefined) return undefined;
    return { id, stream, revision, position };
  }
}

type ReadPart = (last: RecordedEvent | undefined, most: number) => readonly [body: string][];

const partByPart = (
  read: ReadPart,
  limit: number,
  maxBytes: number,
): { readonly events: RecordedEvent[]; readonly isWhole: boolean } => {
  const events: RecordedEvent[] = [];
  for (let bytes = 0; events.length < limit && bytes < maxBytes; ) {
    const most = Math.min(PART_EVENTS, limit - events.length);
    const rows = read(events.at(-1), most);
    for (const [body] of rows) {
      bytes += body.length;
      events.push(parseBody(body));
    }
    if (rows.length < most) return { events, isWhole: true };
  }
  return { events, isWhole: false };
};
