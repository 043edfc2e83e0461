/** Up to here, additions are inserted one by one; more are cheaper to sort together. */
const FEW = 64;

/** Texts in ascending order. Additions wait until the next read or removal. */
export class OrderedIds {
  #ids: string[] = [];
  #added: string[] = [];

  get size(): number {
    return this.#ids.length + this.#added.length;
  }

  add(id: string): void {
    this.#added.push(id);
  }

  remove(id: string): void {
    const at = this.#position(id);
    if (this.#ids[at] === id) this.#ids.splice(at, 1);
  }

  /** Ascending, beginning with the first one greater than `after`. */
  *after(after: string | undefined): Generator<string> {
    const start = after === undefined ? 0 : this.#position(after);
    const ids = this.#ordered();
    for (let at = start; at < ids.length; at++) {
      const id = ids[at];
      if (id !== undefined && id !== after) yield id;
    }
  }

  /** Descending, beginning with the first one less than `before`. */
  *before(before: string | undefined): Generator<string> {
    const ids = this.#ordered();
    for (let at = (before === undefined ? ids.length : this.#position(before)) - 1; at >= 0; at--) {
      const id = ids[at];
      if (id !== undefined) yield id;
    }
  }

  #ordered(): string[] {
    const added = this.#added;
    if (added.length === 0) return this.#ids;
    this.#added = [];
    if (added.length > FEW) this.#ids = this.#ids.concat(added).sort();
    else for (const id of added) this.#ids.splice(this.#position(id), 0, id);
    return this.#ids;
  }

  /** Of the first id that is not less. */
  #position(id: string): number {
    const ids = this.#ordered();
    let low = 0;
    let high = ids.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((ids[middle] ?? '') < id) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
