/** A page as the service returns it. */
export interface Page<Item> {
  readonly data: readonly Item[];
  /** `null` on the last page. A page may be empty and still have one. */
  readonly next_cursor: string | null;
}

type ReadPage<Item> = (after: string | undefined) => PromiseLike<Page<Item>>;

/** A list that is read page by page while it is iterated; each iteration begins at the start. */
export class List<Item> implements AsyncIterable<Item> {
  readonly #read: ReadPage<Item>;
  readonly #after: string | null | undefined;

  constructor(read: ReadPage<Item>, after: string | null | undefined) {
    this.#read = read;
    this.#after = after;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const { data } of this.pages()) yield* data;
  }

  async *pages(): AsyncGenerator<Page<Item>, void, undefined> {
    let after = this.#after ?? undefined;
    for (;;) {
      const page = await this.#read(after);
      yield page;
      if (page.next_cursor === null) return;
      after = page.next_cursor;
    }
  }

  /** At most `limit` items; all of them without a limit. */
  async toArray({ limit = Number.POSITIVE_INFINITY }: { readonly limit?: number | undefined } = {}): Promise<Item[]> {
    const items: Item[] = [];
    if (limit <= 0) return items;
    for await (const item of this) if (items.push(item) >= limit) break;
    return items;
  }
}
