import { DatabaseSync } from 'node:sqlite';

export interface ProposedEvent {
  readonly id: string;
  readonly type: string;
  readonly isJson: boolean;
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
}

export interface StoredEvent extends ProposedEvent {
  readonly stream: string;
  /** Null for the event that ends a tombstoned stream, whose number is the greatest that there is. */
  readonly revision: number | null;
  readonly position: number;
  /** Milliseconds since 1970. */
  readonly created: number;
}

export type Expected = number | 'none' | 'any' | 'exists';

export type Verdict =
  | { readonly kind: 'appended'; readonly revision: number; readonly position: number }
  | { readonly kind: 'wrong expected version'; readonly current: number }
  | { readonly kind: 'stream deleted' };

interface StreamState {
  readonly last: number;
  /** Earlier revisions are no longer shown: how a stream is deleted softly. */
  readonly shownFrom: number;
  readonly tombstoned: boolean;
}

type Row = Omit<StoredEvent, 'isJson'> & { readonly isJson: number };

const SCHEMA = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  CREATE TABLE IF NOT EXISTS events (
    position INTEGER PRIMARY KEY, stream TEXT NOT NULL, revision INTEGER, id TEXT NOT NULL, type TEXT NOT NULL,
    isJson INTEGER NOT NULL, data BLOB NOT NULL, metadata BLOB NOT NULL, created INTEGER NOT NULL,
    UNIQUE (stream, revision)
  );
  CREATE TABLE IF NOT EXISTS deletions (stream TEXT PRIMARY KEY, shownFrom INTEGER NOT NULL, tombstoned INTEGER NOT NULL);`;

/** The size of a record without its bodies. Positions are byte offsets, never dense. */
const RECORD_HEADER = 97;
/** The server appends a system event to the same log after this many appends. */
const APPENDS_PER_STATISTICS = 10;
const STATISTICS = '$stats-127.0.0.1:2113';

const NOTHING = new Uint8Array();
const text = (value: object) => new TextEncoder().encode(JSON.stringify(value));

/** The log of the double: bytes as they came, in a file that outlives it. */
export class Records {
  private readonly db: DatabaseSync;
  private readonly insert;
  private readonly listeners = new Set<() => void>();
  private end: number;
  private appends = 0;

  constructor(file: string) {
    this.db = new DatabaseSync(file);
    this.db.exec(SCHEMA);
    this.insert = this.db.prepare('INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)');
    const last = this.all(Infinity, 1, 'backwards')[0];
    this.end = last ? last.position + sizeOf(last) : 0;
    if (this.end === 0) this.write('$settings', 0, systemEvent('update', { $userStreamAcl: {} }));
  }

  /** Called after each append. */
  onAppend(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  append(stream: string, expected: Expected, events: readonly ProposedEvent[]): Verdict {
    const { last, shownFrom, tombstoned } = this.state(stream);
    if (tombstoned) return { kind: 'stream deleted' };
    const gone = shownFrom > last;
    if (!isExpected(expected, last, gone)) {
      return this.earlier(stream, expected, events) ?? { kind: 'wrong expected version', current: gone ? -1 : last };
    }
    let position = this.end;
    this.db.exec('BEGIN IMMEDIATE');
    for (const [index, event] of events.entries()) position = this.write(stream, last + 1 + index, event);
    if (++this.appends % APPENDS_PER_STATISTICS === 0) {
      this.write(STATISTICS, this.state(STATISTICS).last + 1, systemEvent('$statsCollected', { 'proc-cpu': 1 }));
    }
    this.db.exec('COMMIT');
    this.notify();
    return { kind: 'appended', revision: last + events.length, position };
  }

  /** Undefined where there is nothing to be shown. */
  stream(name: string, from: number, limit: number, direction: Direction): StoredEvent[] | 'not found' | 'deleted' {
    const { last, shownFrom, tombstoned } = this.state(name);
    if (tombstoned) return 'deleted';
    if (shownFrom > last) return 'not found';
    const [bound, order] = direction === 'forwards' ? ['>=', 'ASC'] : ['<=', 'DESC'];
    return this.query(
      `stream = ? AND revision >= ? AND revision ${bound} ? ORDER BY revision ${order} LIMIT ?`,
      name,
      shownFrom,
      Math.min(from, Number.MAX_SAFE_INTEGER),
      limit,
    );
  }

  /** Forwards from the position on, backwards from before it. */
  all(from: number, limit: number, direction: Direction): StoredEvent[] {
    const [bound, order] = direction === 'forwards' ? ['>=', 'ASC'] : ['<', 'DESC'];
    const position = Math.min(from, Number.MAX_SAFE_INTEGER);
    return this.query(`position ${bound} ? ORDER BY position ${order} LIMIT ?`, position, limit);
  }

  /** Where the next event will be written. */
  head(): number {
    return this.end;
  }

  /** Softly: the stream is not found until somebody appends to it, and goes on counting then. */
  delete(stream: string): void {
    const { last } = this.state(stream);
    this.write(`$$${stream}`, this.state(`$$${stream}`).last + 1, systemEvent('$metadata', { $tb: last + 1 }));
    this.db.prepare('INSERT OR REPLACE INTO deletions VALUES (?, ?, 0)').run(stream, last + 1);
    this.notify();
  }

  /** For good. */
  tombstone(stream: string): void {
    this.write(stream, null, systemEvent('$streamDeleted', {}));
    this.db.prepare('INSERT OR REPLACE INTO deletions VALUES (?, 0, 1)').run(stream);
    this.notify();
  }

  close(): void {
    this.db.close();
  }

  private state(stream: string): StreamState {
    const row = this.db
      .prepare(
        `SELECT (SELECT coalesce(max(revision), -1) FROM events WHERE stream = ?1) AS last,
           coalesce(max(shownFrom), 0) AS shownFrom, coalesce(max(tombstoned), 0) AS tombstoned
         FROM deletions WHERE stream = ?1`,
      )
      .get(stream);
    return { last: Number(row?.last), shownFrom: Number(row?.shownFrom), tombstoned: row?.tombstoned === 1 };
  }

  /** Exactly these events where this append would have put them. Nothing of the kind is promised under `any`. */
  private earlier(stream: string, expected: Expected, events: readonly ProposedEvent[]): Verdict | undefined {
    if (expected === 'any' || expected === 'exists') return undefined;
    const first = expected === 'none' ? 0 : expected + 1;
    const there = this.query('stream = ? AND revision >= ? ORDER BY revision LIMIT ?', stream, first, events.length);
    const last = there.at(-1);
    const same = there.length === events.length && there.every(({ id }, index) => id === events[index]?.id);
    return same && last?.revision != null
      ? { kind: 'appended', revision: last.revision, position: last.position }
      : undefined;
  }

  private write(stream: string, revision: number | null, event: ProposedEvent): number {
    const position = this.end;
    const { id, type, isJson, data, metadata } = event;
    this.insert.run(position, stream, revision, id, type, isJson ? 1 : 0, data, metadata, Date.now());
    this.end += sizeOf(event);
    return position;
  }

  private query(where: string, ...values: (string | number)[]): StoredEvent[] {
    const rows = this.db.prepare(`SELECT * FROM events WHERE ${where}`).all(...values) as unknown as Row[];
    return rows.map((row) => ({ ...row, isJson: row.isJson === 1 }));
  }

  private notify(): void {
    for (const listener of [...this.listeners]) listener();
  }
}

export type Direction = 'forwards' | 'backwards';

const sizeOf = ({ type, data, metadata }: ProposedEvent): number =>
  RECORD_HEADER + type.length + data.length + metadata.length;

const isExpected = (expected: Expected, last: number, gone: boolean): boolean => {
  if (expected === 'any') return true;
  if (expected === 'exists') return last >= 0 && !gone;
  return expected === 'none' ? last === -1 || gone : expected === last;
};

const systemEvent = (type: string, data: object): ProposedEvent => ({
  id: crypto.randomUUID(),
  type,
  isJson: true,
  data: text(data),
  metadata: NOTHING,
});
