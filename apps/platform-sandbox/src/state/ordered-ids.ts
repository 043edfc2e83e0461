/** Different texts in ascending order. */
export class OrderedIds {
  readonly #ids: string[] = [];

  get size(): number {
    return this.#ids.length;
  }

  add(id: string): void {
    const at = this.#firstFrom(id);
    if (this.#ids[at] !== id) this.#ids.splice(at, 0, id);
  }

  remove(id: string): void {
    const at = this.#firstFrom(id);
    if (this.#ids[at] === id) this.#ids.splice(at, 1);
  }

  /** Ascending, beginning with the first one greater than `after`. */
  *after(after = ''): Generator<string> {
    for (let at = this.#firstFrom(after); at < this.#ids.length; at++) {
      const id = this.#ids[at];
      if (id !== undefined && id !== after) yield id;
    }
  }

  /** Descending, beginning with the first one less than `before`. */
  *before(before: string | undefined): Generator<string> {
    const end = before === undefined ? this.#ids.length : this.#firstFrom(before);
    for (let at = end - 1; at >= 0; at--) {
      const id = this.#ids[at];
      if (id !== undefined) yield id;
    }
  }

  /** The position of the first id that is not less. */
  #firstFrom(id: string): number {
    let [low, high] = [0, this.#ids.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#ids[middle] ?? '') < id) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
