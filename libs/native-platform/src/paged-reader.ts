import type { Caches, RefusedRecord } from '#kernel';
import { AdaptivePageSize } from './adaptive-page-size.js';
import type { RefusedReport, ServiceCalls } from './provider.js';

/** Reads pages of bounded bytes, and reports the records that were left out of them (D65). */
export class PagedReader {
  private readonly lengths: AdaptivePageSize;

  constructor(
    private readonly provider: ServiceCalls,
    caches: Caches,
  ) {
    this.lengths = new AdaptivePageSize(caches);
  }

  /** `of` names the owner of the list, which distinguishes lists of one kind. */
  async read<Page extends { readonly refused: readonly RefusedRecord[] } | undefined>(
    kind: RefusedReport['kind'],
    of: string,
    limit: number,
    ask: (limit: number, maxBytes: number | undefined) => Promise<Page>,
  ): Promise<Page> {
    const page = await this.lengths.read(`${kind} ${of}`, limit, ask);
    this.provider.reportRefused(kind, page?.refused);
    return page;
  }
}
