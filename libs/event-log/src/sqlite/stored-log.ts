import { isUtf8 } from 'node:buffer';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import {
  categoryOf,
  openCopyForReading,
  openDatabaseForReading,
  type StoredLog,
  type StoredRecord,
  StoreUnavailable,
} from '#kernel';
import { limitedTo, type Query, query, unavailable } from './connection.js';
import { ensureSchema } from './schema.js';

/** The tables of `ANALYZE` contain only statistics, not events. */
const STATISTICS = /^sqlite_stat\d$/;

/**
 * The differences of the file's schema from that of an event log. A trigger or a view can change or hide events at each
 * write or read, a foreign index can run an expression, and a table may be another one under the same name.
 */
export function schemaFaults(db: DatabaseSync): string[] {
  const own = ownSchema();
  const found = schemaOf(db);
  const foreign = [...found]
    .filter(([name, sql]) => own.get(name) !== sql)
    .map(([name]) =>
      own.has(name) ? `the ${name} is not defined as the log's own` : `the ${name} is not the log's own`,
    );
  const missing = [...own.keys()].filter((name) => !found.has(name)).map((name) => `the ${name} is missing`);
  return [...foreign, ...missing];
}

function ownSchema(): ReadonlyMap<string, string> {
  const db = new DatabaseSync(':memory:');
  try {
    ensureSchema(db);
    return schemaOf(db);
  } finally {
    db.close();
  }
}

function schemaOf(db: DatabaseSync): ReadonlyMap<string, string> {
  const rows = db.prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema').all();
  return new Map(
    rows
      .filter(({ name }) => !STATISTICS.test(String(name)))
      .map(({ type, name, tbl_name, sql }) => [
        `${type} ${name}`,
        `${tbl_name} ${String(sql ?? '').replaceAll(/\s+/g, ' ')}`,
      ]),
  );
}

const ROWS_PER_PAGE = 250;
/** Before any position that a damaged row may have. */
const BEFORE_ALL = -(2n ** 63n);

type Row = [
  position: bigint,
  revision: bigint,
  id: string,
  body: Uint8Array,
  stream: string | null,
  category: string | null,
  type: string | null,
];

const ROWS = `
  SELECT position, revision, events.id, CAST(body AS BLOB), streams.name, kinds.category, kinds.type
  FROM events LEFT JOIN streams ON streams.id = events.stream LEFT JOIN kinds ON kinds.id = events.kind`;

/** The file of an embedded log, or of a copy, opened for reading only. Throws `StoreUnavailable`. */
export function openSqliteStoredLog(file: string, isCopy = false): StoredLog {
  try {
    const open = isCopy ? openCopyForReading : openDatabaseForReading;
    return new SqliteStoredLog(open(file, 'SELECT 1 FROM events'), file);
  } catch (error) {
    throw unavailable(error, file);
  }
}

class SqliteStoredLog implements StoredLog {
  readonly #log: Query<Row>;
  readonly #stream: Query<Row>;
  readonly #head: Query<[position: bigint]>;

  constructor(
    private readonly db: DatabaseSync,
    private readonly file: string,
  ) {
    this.#log = query(
      db,
      `${ROWS} WHERE position > ? AND position <= ? ORDER BY position LIMIT ${ROWS_PER_PAGE}`,
      true,
    );
    this.#stream = query(
      db,
      `${ROWS} WHERE events.stream = (SELECT id FROM streams WHERE name = ?) AND revision >= ? ORDER BY revision ${limitedTo()}`,
      true,
    );
    this.#head = query(db, 'SELECT coalesce(max(position), 0) FROM events', true);
  }

  async *pages(): AsyncGenerator<readonly StoredRecord[]> {
    const head = this.#read(() => this.#head.get()?.[0] ?? 0n);
    for (let after = BEFORE_ALL; after < head; ) {
      const rows = this.#read(() => this.#log.all(after, head));
      const last = rows.at(-1)?.[0];
      if (last === undefined) return;
      yield recordsOf(rows, after);
      after = last;
      await setImmediate();
    }
  }

  async stream(stream: string, from: number, limit: number): Promise<readonly StoredRecord[]> {
    return this.#read(() => this.#stream.all(stream, from, limit)).map(recordOf);
  }

  async schemaFaults(): Promise<readonly string[]> {
    return this.#read(() => schemaFaults(this.db));
  }

  async close(): Promise<void> {
    this.db.close();
  }

  #read<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      const { message } = unavailable(error, this.file);
      throw new StoreUnavailable(`${message}; the file may be damaged outside of the events`, { cause: error });
    }
  }
}

/** Positions have no gaps, so a missing position is a missing event. */
function recordsOf(rows: readonly Row[], after: bigint): StoredRecord[] {
  let expected = after === BEFORE_ALL ? 1n : after + 1n;
  return rows.flatMap((row) => {
    const [position] = row;
    const isGap = position > expected;
    expected = position + 1n > expected ? position + 1n : expected;
    return isGap ? [{ missing: true }, recordOf(row)] : [recordOf(row)];
  });
}

/** The columns repeat members of the body, and have to agree exactly. */
function recordOf(row: Row): StoredRecord {
  const [position, revision, id, bytes, stream, category, type] = row;
  const damaged = (damage: string): StoredRecord => ({ id, stream: stream ?? '', damage });
  if (stream === null || category === null || type === null) return damaged('its stream or its type is not known');
  if (category !== categoryOf(stream)) return damaged('its category is not that of its stream');
  if (!isUtf8(bytes)) return damaged('its body is not UTF-8');
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
  const opening = `${JSON.stringify({ id, type, stream }).slice(0, -1)},"data":`;
  const ending = `,"revision":${revision},"position":${position}}`;
  if (!body.startsWith(opening)) return damaged('its id, type or stream is not what its body says');
  if (!body.endsWith(ending)) return damaged('its revision or position is not what its body says');
  const content = body.slice(opening.length, -ending.length);
  const middle = content.lastIndexOf(METADATA);
  if (middle === -1) return damaged('its body has no metadata');
  const json = { data: content.slice(0, middle), metadata: content.slice(middle + METADATA.length) };
  return { id, type, stream, revision: Number(revision), position: Number(position), json };
}

const METADATA = ',"metadata":';
