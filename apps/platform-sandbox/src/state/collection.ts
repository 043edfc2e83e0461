import type { Journal } from './journal.js';
import { OrderedIds } from './ordered-ids.js';

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
  readonly #groups = new Map<string, OrderedIds>();
  readonly #aliases = new Map<string, string>();

  constructor(
    private readonly journal: Journal,
    private readonly kind: string,
    private readonly keys: Keys<R>,
  ) {
    for (const [, body] of journal.read(kind)) this.#hold(JSON.parse(body) as R);
  }

  get(id: string): R | undefined {
    return this.#records.get(id);
  }

  byAlias(alias: string): R | undefined {
    const id = this.#aliases.get(alias);
    return id === undefined ? undefined : this.#records.get(id);
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
    yield* this.#found(this.#groups.get(owner)?.after(after));
  }

  *descending(owner: string, before?: string): Generator<R> {
    yield* this.#found(this.#groups.get(owner)?.before(before));
  }

  /** Those of a group whose time has come, all taken before any of them changes. */
  due(owner: string, now: number): R[] {
    const due: R[] = [];
    for (const record of this.ascending(owner)) {
      if ((this.keys.time?.(record) ?? 0) > now) break;
      due.push(record);
    }
    return due;
  }

  sortKeyOf(record: R): string {
    const id = this.keys.id(record);
    const time = this.keys.time?.(record);
    return time === undefined ? id : `${String(time).padStart(TIME_DIGITS, '0')} ${id}`;
  }

  put(record: R): R {
    this.#hold(record);
    this.journal.note(this.kind, this.keys.id(record), record);
    return record;
  }

  /** By id or by alias. */
  remove(key: string): R | undefined {
    const record = this.find(key);
    if (!record) return undefined;
    const id = this.keys.id(record);
    this.#drop(record);
    this.#records.delete(id);
    this.journal.note(this.kind, id, undefined);
    return record;
  }

  /** Memory only: erasing the journal is its owner's. */
  clear(): void {
    this.#records.clear();
    this.#groups.clear();
    this.#aliases.clear();
  }

  *#found(sortKeys: Iterable<string> | undefined): Generator<R> {
    for (const sortKey of sortKeys ?? []) {
      const record = this.#records.get(this.keys.time ? sortKey.slice(TIME_DIGITS + 1) : sortKey);
      if (record) yield record;
    }
  }

  #hold(record: R): void {
    const id = this.keys.id(record);
    const owner = this.keys.owner?.(record);
    const alias = this.keys.alias?.(record);
    const previous = this.#records.get(id);
    const stays =
      previous && this.keys.owner?.(previous) === owner && this.sortKeyOf(previous) === this.sortKeyOf(record);
    if (previous && !stays) this.#drop(previous);
    if (owner !== undefined && !stays) {
      const group = this.#groups.get(owner) ?? new OrderedIds();
      this.#groups.set(owner, group);
      group.add(this.sortKeyOf(record));
    }
    if (alias !== undefined) this.#aliases.set(alias, id);
    this.#records.set(id, record);
  }

  #drop(record: R): void {
    this.#groups.get(this.keys.owner?.(record) ?? '')?.remove(this.sortKeyOf(record));
    this.#aliases.delete(this.keys.alias?.(record) ?? '');
  }
}
