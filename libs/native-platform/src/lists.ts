import type { RefusedRecord } from '#kernel';
import { PageLengths } from './page-lengths.js';
import type { Provider, RefusedReport } from './provider.js';

/** Reads pages of bounded bytes, and reports the records that were left out of them (D65). */
export class Lists {
  private readonly lengths: PageLengths;

  constructor(private readonly provider: Provider) {
    this.lengths = new PageLengths(provider.caches);
  }

  /** `of` names the owner of the list, which distinguishes lists of one kind. */
  async read<Page extends { readonly refused: readonly RefusedRecord[] } | undefined>(
    kind: RefusedReport['kind'],
    of: string,
    limit: number,
    ask: (limit: number, maxBytes: number | undefined) => Promise<Page>,
  ): Promise<Page> {
    const page = await this.lengths.read(`${kind} ${of}`, limit, ask);
    if (page !== undefined && page.refused.length > 0) this.provider.reportRefused({ kind, records: page.refused });
    return page;
  }
}
