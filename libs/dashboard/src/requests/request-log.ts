import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import {
  type AgencyId,
  ageOf,
  Clock,
  type CollectionDefinition,
  type Document,
  DocumentStore,
  HOUR,
  type Instant,
  Logger,
  SECOND,
} from '#kernel';
import { removeDocuments, removeRange } from '../remove-documents.js';
import { CallCounter } from './call-counter.js';
import { CALLS_BY_DAY, type CallsOfDay, DAYS_KEPT, dayOf } from './counted-calls.js';
import {
  batchesOf,
  bounded,
  REFUSED_KEPT,
  REFUSED_REQUESTS,
  type RefusedBatch,
  type RefusedRequest,
} from './refused-requests.js';

/** Refusals of an agency between two checks for documents beyond the limit. */
const TRIM_EVERY = 100;
/** Each document holds at least one request, so this many documents hold too many. */
const MAX_BATCHES = 3 * REFUSED_KEPT;
/** An agency of 200 keys has 6,000 for each process. The limit holds even if a process restarts every minute. */
const MAX_COUNTS_OF_AGENCY = 20_000;
const REMOVED_AT_ONCE = 1_000;

/** Removes documents that the pages no longer show, which bounds the documents of an agency. */
class RequestLogSweep {
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

  /** Removes old counts, and those beyond an agency's limit. */
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

/** A request with a valid key whose answer has been sent. */
export interface ServedRequest extends Omit<RefusedRequest, 'at'> {
  readonly agencyId: AgencyId;
}

export const REQUEST_LOG_COLLECTIONS: readonly CollectionDefinition[] = [CALLS_BY_DAY, REFUSED_REQUESTS];

/** The interval of writes. A killed process loses as much. */
const WRITE_EVERY = SECOND;

/**
 * Counts the calls of each key, and keeps the requests that were refused or failed. A request changes only memory. The
 * documents are written once a second, and no request waits for that.
 */
@Injectable()
export class RequestLog implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly calls = new CallCounter();
  private readonly sweep: RequestLogSweep;
  /** Requests that are not written yet, by agency, the oldest first. */
  private refused = new Map<AgencyId, RefusedRequest[]>();
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> | undefined;
  /** The agencies with calls since the last sweep. */
  private readonly seen = new Set<AgencyId>();
  private sweptAt: Instant = 0;

  constructor(
    private readonly documents: DocumentStore,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {
    this.sweep = new RequestLogSweep(documents);
  }

  note({ agencyId, ...request }: ServedRequest): void {
    const at = this.clock.now();
    this.calls.count(agencyId, request.keyId, request.route, at);
    if (request.status >= 400) this.keep(agencyId, bounded({ ...request, at }));
  }

  /** The timer starts here, outside any request, so that its writes do not count as a request's work. */
  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.write(), WRITE_EVERY).unref();
  }

  onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    return this.write();
  }

  /** Writes what has been noted. Never rejects. */
  async write(): Promise<void> {
    while (this.writing !== undefined) await this.writing;
    this.writing = this.put().finally(() => {
      this.writing = undefined;
    });
    await this.writing;
  }

  private keep(agencyId: AgencyId, request: RefusedRequest): void {
    const kept = this.refused.get(agencyId);
    if (kept === undefined) this.refused.set(agencyId, [request]);
    else if (kept.push(request) >= 2 * REFUSED_KEPT) kept.splice(0, REFUSED_KEPT);
  }

  private async put(): Promise<void> {
    const [refused, counted] = [this.refused, this.calls.take()];
    this.refused = new Map();
    if (counted.length === 0) return;
    try {
      await this.documents.write([
        { collection: CALLS_BY_DAY.name, put: counted },
        { collection: REFUSED_REQUESTS.name, put: batchesIn(refused) },
      ]);
      await this.bound(refused, counted);
    } catch (error) {
      this.calls.giveBack(counted);
      this.logger.warn({ err: error }, 'could not record requests; refused requests of about a second are missing');
    }
  }

  private async bound(
    refused: ReadonlyMap<AgencyId, readonly RefusedRequest[]>,
    days: readonly CallsOfDay[],
  ): Promise<void> {
    for (const { agencyId } of days) this.seen.add(agencyId);
    const now = this.clock.now();
    for (const [agencyId, { length }] of refused) await this.sweep.trimRefused(agencyId, length);
    if (ageOf(this.sweptAt, now) < HOUR) return;
    this.sweptAt = now;
    const agencies = [...this.seen];
    this.seen.clear();
    await this.sweep.removeOld(now, agencies);
  }
}

const batchesIn = (refused: ReadonlyMap<AgencyId, readonly RefusedRequest[]>): RefusedBatch[] =>
  [...refused].flatMap(([agencyId, requests]) => batchesOf(agencyId, requests.slice(-REFUSED_KEPT)));
