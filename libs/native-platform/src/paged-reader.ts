import type { Cache, Caches, RefusedRecord } from '#kernel';
import type { Provider, RefusedReport } from './provider.js';
import { AnswerTooLong } from './provider-error.js';

/** A longer page is requested again with fewer records: reading one takes about ten times its size in memory. */
export const PAGE_BYTES = 1024 * 1024;
const SHORTENING_FACTOR = 4;
/** About 1,000 lists. */
const LIMITS = { bytes: 200 * 1024, entryBytes: 200 };

/** Reads pages of bounded bytes, and reports the records that were left out of them (D65). */
export class PagedReader {
  /** How many records of each list fit a page, where that is fewer than requested. */
  private readonly fitting: Cache<string, number>;

  constructor(
    private readonly provider: Provider,
    caches: Caches,
  ) {
    this.fitting = caches.create(LIMITS);
  }

  /**
   * Asks with shorter limits until the answer is short enough; a single record may be longer. `of` names the owner of
   * the list, which distinguishes lists of one kind.
   */
  async read<Page extends { readonly refused: readonly RefusedRecord[] } | undefined>(
    kind: RefusedReport['kind'],
    of: string,
    limit: number,
    ask: (limit: number, maxBytes: number | undefined) => Promise<Page>,
  ): Promise<Page> {
    const list = `${kind} ${of}`;
    for (let most = Math.min(limit, this.fitting.get(list) ?? limit); ; most = Math.ceil(most / SHORTENING_FACTOR)) {
      try {
        const page = await ask(most, most === 1 ? undefined : PAGE_BYTES);
        this.learn(list, most, limit);
        this.provider.reportRefused(kind, page?.refused);
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
