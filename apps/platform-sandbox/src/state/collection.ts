import sorted from 'sorted-btree';
import type { RecordFile } from './record-file.js';

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
    return this.#groups.get(owner)?.size ?? 0;
  }

  /** `after` and `before` are sort keys, as `sortKeyOf` gives them: ids, in groups without a time. */
  *ascending(owner: string, after?: string): Generator<R> {
    for (const [key, record] of this.#groups.get(owner)?.entries(after) ?? []) if (key !== after) yield record;
  }

  *descending(owner: string, before?: string): Generator<R> {
    for (const [, record] of this.#groups.get(owner)?.entriesReversed(before, undefined, true) ?? []) yield record;
  }

  /** Those of a group whose time has come, all taken before any of them changes. */
  due(owner: string, now: number): R[] {
    return (
      this.#groups
        .get(owner)
        ?.getRange('', padded(now + 1))
        .map(([, record]) => record) ?? []
    );
  }

  sortKeyOf(record: R): string {
    const id = this.keys.id(record);
    const time = this.keys.time?.(record);
    return time === undefined ? id : `${padded(time)} ${id}`;
  }

  put(record: R): R {
    this.#drop(this.get(this.keys.id(record)));
    this.#hold(record);
    this.file?.write(this.kind, this.keys.id(record), record);
    return record;
  }

  /** By id or by alias. */
  remove(key: string): R | undefined {
    const record = this.find(key);
    if (!record) return undefined;
    const id = this.keys.id(record);
    this.#drop(record);
    this.#records.delete(id);
    this.file?.write(this.kind, id, undefined);
    return record;
  }

  /** Memory only: erasing the file is its owner's. */
  clear(): void {
    for (const held of [this.#records, this.#groups, this.#aliases]) held.clear();
  }

  #hold(record: R): void {
    const id = this.keys.id(record);
    const [owner, alias] = [this.keys.owner?.(record), this.keys.alias?.(record)];
    this.#records.set(id, record);
    if (alias !== undefined) this.#aliases.set(alias, id);
    if (owner === undefined) return;
    const group = this.#groups.get(owner) ?? new sorted.default<string, R>();
    this.#groups.set(owner, group);
    group.set(this.sortKeyOf(record), record);
  }

  #drop(record: R | undefined): void {
    if (record === undefined) return;
    this.#groups.get(this.keys.owner?.(record) ?? '')?.delete(this.sortKeyOf(record));
    this.#aliases.delete(this.keys.alias?.(record) ?? '');
  }
}

/** Sorts like its number. */
function padded(time: number): string {
  return String(time).padStart(TIME_DIGITS, '0');
}
