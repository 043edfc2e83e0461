import type { Cache, Caches } from '#kernel';
import { AnswerTooLong } from './provider-error.js';

/** A longer page is requested again with fewer records: reading one takes about ten times its size in memory. */
export const PAGE_BYTES = 1024 * 1024;
const SHORTENING_FACTOR = 4;
/** About 1,000 lists. */
const LIMITS = { bytes: 200 * 1024, entryBytes: 200 };

/** How many records of each list fit a page; fewer than requested if they are large. */
export class AdaptivePageSize {
  private readonly fitting: Cache<string, number>;

  constructor(caches: Caches) {
    this.fitting = caches.create(LIMITS);
  }

  /** Reads with shorter limits until the answer is short enough; a single record may be longer. */
  async read<Page>(
    list: string,
    limit: number,
    read: (limit: number, maxBytes: number | undefined) => Promise<Page>,
  ): Promise<Page> {
    for (let most = Math.min(limit, this.fitting.get(list) ?? limit); ; most = Math.ceil(most / SHORTENING_FACTOR)) {
      try {
        const page = await read(most, most === 1 ? undefined : PAGE_BYTES);
        this.learn(list, most, limit);
        return page;
      } catch (error) {
        if (!(error instanceof AnswerTooLong)) throw error;
        this.fitting.set(list, Math.ceil(most / SHORTENING_FACTOR));
      }
    }
  }

  /** The next page may have smaller records. */
  private learn(list: string, fitted: number, asked: number): void {
    if (this.fitting.peek(list) === undefined) return;
    if (fitted >= asked) this.fitting.delete(list);
    else this.fitting.set(list, 2 * fitted);
  }
}
