import type { DatabaseSync } from 'node:sqlite';

const TIME_DIGITS = 15;

export interface Keys<R> {
  id(record: R): string;
  /** Groups records for walks; undefined belongs to no group. */
  owner?(record: R): string | undefined;
  /** Orders a group by time before id. */
  time?(record: R): number;
  /** A second unique key. */
  alias?(record: R): string | undefined;
}

/** Records of one kind: in memory, written through. Records are replaced, never changed in place. */
export class Collection<R> {
  readonly #records = new Map<string, R>();
  readonly #sql;

  constructor(
    private readonly database: DatabaseSync,
    private readonly kind: string,
    private readonly keys: Keys<R>,
  ) {
    this.#sql = database.createTagStore();
    for (const { body } of this.#sql.all`SELECT body FROM record WHERE kind = ${kind}`) {
      this.#hold(JSON.parse(String(body)) as R);
    }
  }

  get(id: string): R | undefined {
    return this.#records.get(id);
  }

  byAlias(alias: string): R | undefined {
    const row = this.#sql.get`SELECT id FROM place WHERE kind = ${this.kind} AND alias = ${alias}`;
    return row && this.get(String(row.id));
  }

  /** By id or by alias. */
  find(key: string): R | undefined {
    return this.get(key) ?? this.byAlias(key);
  }

  values(): Iterable<R> {
    return this.#records.values();
  }

  get size(): number {
    return this.#records.size;
  }

  count(owner: string): number {
    const row = this.#sql.get`SELECT count(*) AS held FROM place WHERE kind = ${this.kind} AND owner = ${owner}`;
    return Number(row?.held);
  }

  /** `after` and `before` are sort keys, as `sortKeyOf` gives them: ids, in groups without a time. */
  *ascending(owner: string, after = ''): Generator<R> {
    yield* this.#found(
      this.#sql
        .iterate`SELECT id FROM place WHERE kind = ${this.kind} AND owner = ${owner} AND sort_key > ${after} ORDER BY sort_key`,
    );
  }

  /** For groups with times only, whose sort keys begin with digits. */
  *descending(owner: string, before = '~'): Generator<R> {
    yield* this.#found(
      this.#sql
        .iterate`SELECT id FROM place WHERE kind = ${this.kind} AND owner = ${owner} AND sort_key < ${before} ORDER BY sort_key DESC`,
    );
  }

  /** Those of a group whose time has come, all taken before any of them changes. */
  due(owner: string, now: number): R[] {
    const later = padded(now + 1);
    const rows = this.#sql
      .all`SELECT id FROM place WHERE kind = ${this.kind} AND owner = ${owner} AND sort_key < ${later} ORDER BY sort_key`;
    return [...this.#found(rows)];
  }

  sortKeyOf(record: R): string {
    const id = this.keys.id(record);
    const time = this.keys.time?.(record);
    return time === undefined ? id : `${padded(time)} ${id}`;
  }

  put(record: R): R {
    this.#begin();
    this.#hold(record);
    const body = JSON.stringify(record);
    this.#sql.run`INSERT OR REPLACE INTO record VALUES (${this.kind}, ${this.keys.id(record)}, ${body})`;
    return record;
  }

  /** By id or by alias. */
  remove(key: string): R | undefined {
    const record = this.find(key);
    if (!record) return undefined;
    const id = this.keys.id(record);
    this.#begin();
    this.#records.delete(id);
    this.#sql.run`DELETE FROM place WHERE kind = ${this.kind} AND id = ${id}`;
    this.#sql.run`DELETE FROM record WHERE kind = ${this.kind} AND id = ${id}`;
    return record;
  }

  /** Memory only: erasing the database is its owner's. */
  clear(): void {
    this.#records.clear();
  }

  *#found(rows: Iterable<Record<string, unknown>>): Generator<R> {
    for (const { id } of rows) {
      const record = this.#records.get(String(id));
      if (record) yield record;
    }
  }

  #begin(): void {
    if (!this.database.isTransaction) this.database.exec('BEGIN IMMEDIATE');
  }

  #hold(record: R): void {
    const id = this.keys.id(record);
    const [owner, alias] = [this.keys.owner?.(record) ?? null, this.keys.alias?.(record) ?? null];
    this.#records.set(id, record);
    this.#sql
      .run`INSERT OR REPLACE INTO place VALUES (${this.kind}, ${id}, ${owner}, ${this.sortKeyOf(record)}, ${alias})`;
  }
}

/** Sorts like its number. */
function padded(time: number): string {
  return String(time).padStart(TIME_DIGITS, '0');
}
