/** Texts in ascending order, sorted at the first read after a change. */
export class OrderedIds {
  readonly #ids = new Set<string>();
  #sorted: string[] | undefined;

  get size(): number {
    return this.#ids.size;
  }

  add(id: string): void {
    this.#ids.add(id);
    this.#sorted = undefined;
  }

  remove(id: string): void {
    if (this.#ids.delete(id)) this.#sorted = undefined;
  }

  /** Ascending, beginning with the first one greater than `after`. */
  *after(after = ''): Generator<string> {
    const ids = this.#ordered();
    for (let at = firstFrom(ids, after); at < ids.length; at++) {
      const id = ids[at];
      if (id !== undefined && id !== after) yield id;
    }
  }

  /** Descending, beginning with the first one less than `before`. */
  *before(before: string | undefined): Generator<string> {
    const ids = this.#ordered();
    for (let at = (before === undefined ? ids.length : firstFrom(ids, before)) - 1; at >= 0; at--) {
      const id = ids[at];
      if (id !== undefined) yield id;
    }
  }

  #ordered(): string[] {
    this.#sorted ??= [...this.#ids].sort();
    return this.#sorted;
  }
}

/** The position of the first id that is not less. */
function firstFrom(ids: readonly string[], id: string): number {
  let [low, high] = [0, ids.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ids[middle] ?? '') < id) low = middle + 1;
    else high = middle;
  }
  return low;
}
