import type { AgencyId, Document, DocumentStore, Instant } from '#kernel';
import { removeDocuments, removeRange } from '../remove-documents.js';
import { CALLS_BY_DAY, DAYS_KEPT, dayOf } from './counted-calls.js';
import { REFUSED_KEPT, REFUSED_REQUESTS, type RefusedBatch } from './refused-request.js';

/** Looks which documents of an agency are too many only after so many more refusals. */
const TRIM_EVERY = 100;
/** Each document holds one request or more, so that more documents than this hold too many. */
const MAX_BATCHES = 3 * REFUSED_KEPT;
/** An agency of 200 keys has 6,000 for each process; one that starts again each minute makes no more. */
const MAX_COUNTS_OF_AGENCY = 20_000;
const REMOVED_AT_ONCE = 1_000;

/** Removes what the pages show no more, so that what is kept of an agency has a bound. */
export class RequestLogSweep {
  /** Refusals since the documents of an agency were last looked through; cleared every hour. */
  private readonly added = new Map<AgencyId, number>();

  constructor(private readonly documents: DocumentStore) {}

  async trimRefused(agencyId: AgencyId, added: number): Promise<void> {
    const sum = (this.added.get(agencyId) ?? TRIM_EVERY) + added;
    this.added.set(agencyId, sum);
    if (sum < TRIM_EVERY) return;
    this.added.set(agencyId, 0);
    type Entry = Document & Pick<RefusedBatch, 'count'>;
    const newest = await this.documents.findEntries<Entry>(REFUSED_REQUESTS.name, {
      index: 'agency',
      equals: [agencyId],
      order: 'descending',
      limit: MAX_BATCHES,
    });
    let kept = 0;
    const excess = newest.filter(({ count }) => {
      const isExcess = kept >= REFUSED_KEPT;
      kept += count;
      return isExcess;
    });
    await removeDocuments(this.documents, REFUSED_REQUESTS.name, excess);
  }

  /** Counts of before the time that the pages show, and more of an agency than it may have. */
  async removeOld(now: Instant, agencies: Iterable<AgencyId>): Promise<void> {
    this.added.clear();
    const old = { index: 'day', lt: dayOf(now) - DAYS_KEPT, limit: REMOVED_AT_ONCE };
    for (let removed = REMOVED_AT_ONCE; removed === REMOVED_AT_ONCE; ) {
      removed = await removeRange(this.documents, CALLS_BY_DAY.name, old);
    }
    for (const agencyId of agencies) await this.removeExcess(agencyId);
  }

  private async removeExcess(agencyId: AgencyId): Promise<void> {
    const ofAgency = { index: 'calls', equals: [agencyId] };
    const limit = MAX_COUNTS_OF_AGENCY + REMOVED_AT_ONCE;
    const newest = await this.documents.findEntries(CALLS_BY_DAY.name, { ...ofAgency, order: 'descending', limit });
    await removeDocuments(this.documents, CALLS_BY_DAY.name, newest.slice(MAX_COUNTS_OF_AGENCY));
  }
}
