import type { DatabaseSync, StatementSync } from 'node:sqlite';
import {
  type Appended,
  categoryOf,
  type Duration,
  InvalidAppend,
  NO_EVENTS,
  type Position,
  type Revision,
  runInTransaction,
  type StreamName,
  WrongExpectedRevision,
} from '#kernel/ports';
import {
  type EncodedAppend,
  type EncodedEvent,
  type EventLocation,
  isExpected,
  recordedBody,
  repeatedAppend,
} from '../encoded-append.js';
import { type Query, query } from './connection.js';

type EventToWrite = Pick<EncodedEvent, 'id' | 'type' | 'body'>;

interface Appending extends Pick<EncodedAppend, 'stream' | 'expected'> {
  readonly events: readonly EventToWrite[];
}

/** Flat arrays, because objects with named members take several times as long to pass to another thread. */
export type AppendMessage = readonly [stream: StreamName, expected: EncodedAppend['expected'], ...events: string[]];

export const appendMessage = ({ stream, expected, events }: EncodedAppend): AppendMessage => [
  stream,
  expected,
  ...events.flatMap(({ id, type, body }) => [id, type, body]),
];

export const appendOf = ([stream, expected, ...texts]: AppendMessage): Appending => {
  const events: EventToWrite[] = [];
  for (let n = 0; n < texts.length; n += 3) {
    const [id = '', type = '', body = ''] = texts.slice(n, n + 3);
    events.push({ id, type, body });
  }
  return { stream, expected, events };
};

export type AppendedMessage = readonly [revision: Revision, position: Position];

export interface AppendSettings {
  readonly file: string;
  readonly busyFor: Duration;
}

export type Verdict = Appended | WrongExpectedRevision | InvalidAppend;

export class Writer {
  readonly #head: Query<[position: number]>;
  readonly #stream: Query<[id: number, revision: number]>;
  readonly #location: Query<[stream: string, revision: number, position: number]>;
  readonly #kind: Query<[id: number]>;
  readonly #insertStream: StatementSync;
  readonly #insertKind: StatementSync;
  readonly #insertEvent: StatementSync;
  readonly #deleteAfter: StatementSync;
  #position: Position = 0;

  constructor(private readonly db: DatabaseSync) {
    this.#head = query(db, 'SELECT coalesce(max(position), 0) FROM events');
    this.#stream = query(
      db,
      `SELECT id, coalesce((SELECT max(revision) FROM events WHERE stream = streams.id), ${NO_EVENTS})
       FROM streams WHERE name = ?`,
    );
    this.#location = query(
      db,
      `SELECT streams.name, revision, position FROM events JOIN streams ON streams.id = events.stream
       WHERE events.id = ?`,
    );
    this.#kind = query(db, 'SELECT id FROM kinds WHERE category = ? AND type = ?');
    this.#insertStream = db.prepare('INSERT INTO streams (name) VALUES (?)');
    this.#insertKind = db.prepare('INSERT INTO kinds (category, type) VALUES (?, ?)');
    this.#insertEvent = db.prepare(
      `INSERT INTO events (position, stream, revision, kind, id, body) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (id) DO NOTHING`,
    );
    this.#deleteAfter = db.prepare('DELETE FROM events WHERE position > ?');
  }

  /** Returns when everything is on disk. If it throws, nothing was written. */
  write(group: readonly Appending[]): readonly Verdict[] {
    // The lock is taken before the head is read, so that positions have the order of the commits of all processes.
    return runInTransaction(this.db, () => {
      this.#position = this.#head.get()?.[0] ?? 0;
      return group.map((append) => this.#append(append));
    });
  }

  #append(append: Appending): Verdict {
    const [id, last] = this.#stream.get(append.stream) ?? [undefined, NO_EVENTS];
    if (isExpected(append.expected, last)) {
      const stream = id ?? Number(this.#insertStream.run(append.stream).lastInsertRowid);
      const appended = this.#insert(append, stream, last);
      if (appended) return appended;
    }
    return (
      repeatedAppend(append, (eventId) => this.#locationOf(eventId)) ??
      new WrongExpectedRevision(append.stream, append.expected, last)
    );
  }

  /** Undefined, without any effect, if an event id is known already. */
  #insert({ stream: name, events }: Appending, stream: number, last: number): Appended | undefined {
    const before = this.#position;
    const category = categoryOf(name);
    let revision = last;
    for (const event of events) {
      const position = ++this.#position;
      const body = recordedBody(event.body, ++revision, position);
      const kind = this.#kindOf(category, event.type);
      if (this.#insertEvent.run(position, stream, revision, kind, event.id, body).changes === 0) {
        this.#deleteAfter.run(before);
        this.#position = before;
        return undefined;
      }
    }
    return { revision, position: this.#position };
  }

  #kindOf(category: string, type: string): number {
    return this.#kind.get(category, type)?.[0] ?? Number(this.#insertKind.run(category, type).lastInsertRowid);
  }

  #locationOf(id: string): EventLocation | undefined {
    const row = this.#location.get(id);
    return row && { stream: row[0], revision: row[1], position: row[2] };
  }
}
