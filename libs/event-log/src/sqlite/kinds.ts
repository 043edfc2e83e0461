import type { DatabaseSync } from 'node:sqlite';
import type { LogFilter } from '#kernel/ports';
import { type Query, query } from './rows.js';

interface Known {
  readonly types: ReadonlySet<string> | undefined;
  readonly categories: ReadonlySet<string> | undefined;
  /** The last kind in the log at the time of the lookup. */
  readonly last: number;
  readonly ids: string;
}

/** The kinds that a filter admits. A follower uses the same sets for each page, and new kinds are rare. */
export class Kinds {
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
