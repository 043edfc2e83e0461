import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import {
  type AgencyId,
  ageOf,
  Clock,
  type CollectionDefinition,
  DocumentStore,
  HOUR,
  type Instant,
  Logger,
  SECOND,
} from '#kernel';
import { CallCounter } from './call-counter.js';
import { CALLS_BY_DAY, type CallsOfDay } from './counted-calls.js';
import {
  batchesOf,
  bounded,
  REFUSED_KEPT,
  REFUSED_REQUESTS,
  type RefusedBatch,
  type RefusedRequest,
} from './refused-request.js';
import { RequestLogSweep } from './request-log-sweep.js';

/** A request with a valid key, when its answer has been sent. */
export interface ServedRequest extends Omit<RefusedRequest, 'at'> {
  readonly agencyId: AgencyId;
}

export const REQUEST_LOG_COLLECTIONS: readonly CollectionDefinition[] = [CALLS_BY_DAY, REFUSED_REQUESTS];

/** How often documents are put; what a killed process loses. */
const WRITE_EVERY = SECOND;

/**
 * Counts the calls of each key, and keeps the requests that were refused or failed. A request only changes the memory:
 * the documents are put once a second, and nobody waits for that.
 */
@Injectable()
export class RequestLog implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly calls = new CallCounter();
  private readonly sweep: RequestLogSweep;
  /** Not put yet, by agency, the oldest first. */
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

  /** The timer is no request's: what it writes is none of a request's work. */
  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.write(), WRITE_EVERY).unref();
  }

  onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    return this.write();
  }

  /** Puts what has been noted. Nothing fails with it. */
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
      this.logger.warn({ err: error }, 'could not note requests; refused ones of about a second are missing');
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
