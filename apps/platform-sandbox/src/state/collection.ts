import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import sorted from 'sorted-btree';
import { ensurePrivateFile } from '#kernel/ports';

const TIME_DIGITS = 16;

export interface Keys<R> {
  id(record: R): string;
  /** A second unique key. */
  alias?(record: R): string;
  /** The groups in which the record is listed, with its sort key in each. */
  places?(record: R): Place[];
}

type Place = readonly [group: string, sortKey: string];

/** Records of one kind: in memory, written through. Records are replaced, never changed in place. */
export class Collection<R> {
  readonly #records = new Map<string, R>();
  readonly #groups = new Map<string, sorted.default<string, R>>();
  readonly #aliases = new Map<string, string>();

  constructor(
    /** Undefined: in memory only. */
    private readonly file: RecordFile | undefined,
    private readonly kind: string,
    private readonly keys: Keys<R>,
  ) {
    for (const body of file?.bodies(kind) ?? []) this.#hold(JSON.parse(body) as R);
  }

  get(id: string): R | undefined {
    return this.#records.get(id);
  }

  byAlias(alias: string): R | undefined {
    return this.get(this.#aliases.get(alias) ?? '');
  }

  /** By its id or alias. */
  find(key: string): R | undefined {
    return this.get(key) ?? this.byAlias(key);
  }

  values(): Iterable<R> {
    return this.#records.values();
  }

  get size(): number {
    return this.#records.size;
  }

  count(group: string): number {
    return this.#groups.get(group)?.size ?? 0;
  }

  *ascending(group: string, after?: string): Generator<R> {
    for (const [key, record] of this.#groups.get(group)?.entries(after) ?? []) if (key !== after) yield record;
  }

  *descending(group: string, before?: string): Generator<R> {
    for (const [, record] of this.#groups.get(group)?.entriesReversed(before, undefined, true) ?? []) yield record;
  }

  /** The records of a group that is sorted by `timeKey`, from `since` to before `until`, as they are now. */
  between(group: string, since: number, until: number): R[] {
    const entries = this.#groups.get(group)?.getRange(timeKey(since), timeKey(until)) ?? [];
    return entries.map(([, record]) => record);
  }

  put(record: R): R {
    const id = this.keys.id(record);
    this.#drop(this.get(id));
    this.#hold(record);
    this.file?.write(this.kind, id, record);
    return record;
  }

  remove(record: R): void {
    const id = this.keys.id(record);
    this.#drop(record);
    this.#records.delete(id);
    this.file?.write(this.kind, id, undefined);
  }

  /** Clears the memory. `RecordFile.erase` clears the file. */
  clear(): void {
    for (const held of [this.#records, this.#groups, this.#aliases]) held.clear();
  }

  #hold(record: R): void {
    const id = this.keys.id(record);
    this.#records.set(id, record);
    if (this.keys.alias) this.#aliases.set(this.keys.alias(record), id);
    for (const [group, key] of this.keys.places?.(record) ?? []) {
      const held = this.#groups.get(group) ?? new sorted.default<string, R>();
      held.set(key, record);
      this.#groups.set(group, held);
    }
  }

  #drop(record: R | undefined): void {
    if (record === undefined) return;
    for (const [group, key] of this.keys.places?.(record) ?? []) this.#groups.get(group)?.delete(key);
    if (this.keys.alias) this.#aliases.delete(this.keys.alias(record));
  }
}

/** Sorts by time, then by id. */
export function timeKey(time: number, id = ''): string {
  return `${String(Math.max(0, time)).padStart(TIME_DIGITS, '0')} ${id}`;
}

/**
 * Files of earlier builds keep a slot's fence in a separate record, which stays when the slot is released. Such a build
 * may also have written to a file of this one.
 */
const JOIN_FENCES = `BEGIN;
  INSERT OR REPLACE INTO record
    SELECT 'hold', id, json_set(body, '$.api', json('false'), '$.dashboard', json('false'))
    FROM record WHERE kind = 'fence';
  INSERT OR REPLACE INTO record
    SELECT 'hold', slot.body->>'agency_id' || ' ' || slot.id, json_set(slot.body, '$.fence', coalesce(fence.body->>'fence', 0))
    FROM record AS slot
    LEFT JOIN record AS fence ON fence.kind = 'fence' AND fence.id = slot.body->>'agency_id' || ' ' || slot.id
    WHERE slot.kind = 'slot';
  DELETE FROM record WHERE kind IN ('slot', 'fence');
  COMMIT`;

/**
 * The file that collections write through to. The writes of one request are one transaction. A commit is not synced: it
 * survives the death of the process, but not of the machine.
 */
export class RecordFile {
  readonly #database: DatabaseSync;
  readonly #sql;

  constructor(file: string) {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    ensurePrivateFile(file);
    this.#database = new DatabaseSync(file);
    this.#database.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF; PRAGMA busy_timeout=2000');
    this.#database.exec(
      'CREATE TABLE IF NOT EXISTS record (kind TEXT, id TEXT, body TEXT NOT NULL, PRIMARY KEY (kind, id)) WITHOUT ROWID',
    );
    this.#database.exec(JOIN_FENCES);
    this.#sql = this.#database.createTagStore();
  }

  bodies(kind: string): string[] {
    return this.#sql.all`SELECT body FROM record WHERE kind = ${kind}`.map(({ body }) => String(body));
  }

  /** An undefined record is a deletion. */
  write(kind: string, id: string, record: unknown): void {
    if (!this.#database.isTransaction) this.#database.exec('BEGIN IMMEDIATE');
    if (record === undefined) this.#sql.run`DELETE FROM record WHERE kind = ${kind} AND id = ${id}`;
    else this.#sql.run`INSERT OR REPLACE INTO record VALUES (${kind}, ${id}, ${JSON.stringify(record)})`;
  }

  commit(): void {
    if (this.#database.isTransaction) this.#database.exec('COMMIT');
  }

  erase(): void {
    this.#database.exec('DELETE FROM record');
  }

  close(): void {
    this.commit();
    this.#database.close();
  }
}
