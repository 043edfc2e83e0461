/** Ids in ascending order, sorted only when read after a change. */
export class OrderedIds {
  #ids: string[] = [];
  #sorted = true;

  get size(): number {
    return this.#ids.length;
  }

  add(id: string): void {
    const last = this.#ids.at(-1);
    if (last !== undefined && last > id) this.#sorted = false;
    this.#ids.push(id);
  }

  remove(id: string): void {
    const at = this.#position(id);
    if (this.#ids[at] === id) this.#ids.splice(at, 1);
  }

  /** Ascending, beginning with the first one greater than `after`. */
  *after(after: string | undefined): Generator<string> {
    const start = after === undefined ? 0 : this.#position(after);
    const ids = this.#order();
    for (let at = start; at < ids.length; at++) {
      const id = ids[at];
      if (id !== undefined && id !== after) yield id;
    }
  }

  /** Descending, beginning with the first one less than `before`. */
  *before(before: string | undefined): Generator<string> {
    const ids = this.#order();
    for (let at = (before === undefined ? ids.length : this.#position(before)) - 1; at >= 0; at--) {
      const id = ids[at];
      if (id !== undefined) yield id;
    }
  }

  #order(): string[] {
    if (!this.#sorted) this.#ids.sort();
    this.#sorted = true;
    return this.#ids;
  }

  /** Of the first id that is not less. */
  #position(id: string): number {
    const ids = this.#order();
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
