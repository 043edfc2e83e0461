import { Injectable } from '@nestjs/common';
import {
  type AgencyId,
  Clock,
  DAY,
  type Document,
  DocumentStore,
  type Duration,
  HOUR,
  type Instant,
  type KeyId,
  MINUTE,
} from '#kernel';
import {
  CALLS_BY_DAY,
  CALLS_BY_HOUR,
  type CallsOfDay,
  type CallsOfHour,
  DAYS_KEPT,
  HOURS_KEPT,
} from './counted-calls.js';

export interface CallsOfKey {
  readonly last24Hours: number;
  readonly last7Days: number;
}

export interface CallsAt {
  readonly at: Instant;
  readonly calls: number;
}

/** How a document divides its time. */
interface Division<D extends Document> {
  readonly collection: string;
  readonly length: Duration;
  /** The field that says which time it is, as a number of lengths since 1970. */
  readonly field: 'day' | 'hour';
  readonly part: Duration;
  /** The calls of each part. */
  partsOf(document: D): readonly (readonly number[])[];
}

const HOURS: Division<CallsOfDay> = {
  collection: CALLS_BY_DAY.name,
  length: DAY,
  field: 'day',
  part: HOUR,
  partsOf: ({ routes }) => routes.map(({ hours }) => hours),
};

const MINUTES: Division<CallsOfHour> = {
  collection: CALLS_BY_HOUR.name,
  length: HOUR,
  field: 'hour',
  part: MINUTE,
  partsOf: ({ minutes }) => [minutes],
};

/** More than the sweep leaves of an agency within an hour. */
const LIMIT = 30_000;

/** What the processes of the API have counted together; the last second may be missing. */
@Injectable()
export class CallCounts {
  constructor(
    private readonly documents: DocumentStore,
    private readonly clock: Clock,
  ) {}

  /** By key of the agency; those without calls in seven days are left out. Windows end with the present hour. */
  async ofKeys(agencyId: AgencyId): Promise<ReadonlyMap<string, CallsOfKey>> {
    const [ofWeek, ofDay] = await Promise.all(
      [7 * 24, 24].map((hours) => this.totals(HOURS, agencyId, this.hoursBack(hours))),
    );
    return new Map(
      [...(ofWeek ?? [])].map(([keyId, last7Days]) => [keyId, { last24Hours: ofDay?.get(keyId) ?? 0, last7Days }]),
    );
  }

  /** The calls of one key in the last seven days, the most frequent route first. */
  async byRoute(keyId: KeyId): Promise<{ readonly route: string; readonly calls: number }[]> {
    const first = this.hoursBack(7 * 24);
    const sums = new Map<string, number>();
    const query = { index: 'series', equals: [keyId], limit: LIMIT };
    for (const { day, routes } of await this.documents.find<CallsOfDay>(HOURS.collection, query)) {
      for (const { route, hours } of routes) {
        const calls = sumFrom(hours, Math.ceil((first - day * DAY) / HOUR));
        if (calls > 0) sums.set(route, (sums.get(route) ?? 0) + calls);
      }
    }
    return [...sums].map(([route, calls]) => ({ route, calls })).sort((one, other) => other.calls - one.calls);
  }

  /** Of thirty days, of one key or of all, the oldest first; hours without calls are left out. */
  byHour(agencyId: AgencyId, keyId: string | null): Promise<CallsAt[]> {
    return this.byPart(HOURS, agencyId, keyId, this.hoursBack(DAYS_KEPT * 24));
  }

  /** Of 24 hours, of one key or of all, the oldest first; minutes without calls are left out. */
  byMinute(agencyId: AgencyId, keyId: string | null): Promise<CallsAt[]> {
    return this.byPart(MINUTES, agencyId, keyId, this.minutesBack());
  }

  /** The calls of each key in the time of `byHour`. */
  ofMonthByKey(agencyId: AgencyId): Promise<ReadonlyMap<string, number>> {
    return this.totals(HOURS, agencyId, this.hoursBack(DAYS_KEPT * 24));
  }

  /** The calls of each key in the time of `byMinute`. */
  ofDayByKey(agencyId: AgencyId): Promise<ReadonlyMap<string, number>> {
    return this.totals(MINUTES, agencyId, this.minutesBack());
  }

  /** When so many hours began, of which the present one is the last. */
  private hoursBack(hours: number): Instant {
    const now = this.clock.now();
    return now - (now % HOUR) - (hours - 1) * HOUR;
  }

  private minutesBack(): Instant {
    const now = this.clock.now();
    return now - (now % MINUTE) + MINUTE - HOURS_KEPT * HOUR;
  }

  /** Since that time, in which a part begins, by key. Only the documents of the first day or hour are read, others in the index. */
  private async totals<D extends CallsOfDay | CallsOfHour>(
    division: Division<D>,
    agencyId: AgencyId,
    since: Instant,
  ): Promise<ReadonlyMap<string, number>> {
    const { collection, field, length, part, partsOf } = division;
    const first = Math.floor(since / length);
    const index = { index: 'calls', limit: LIMIT };
    const [whole, ofFirst] = await Promise.all([
      this.documents.findEntries<D>(collection, { ...index, equals: [agencyId], gt: first }),
      this.documents.find<D>(collection, { ...index, equals: [agencyId, first] }),
    ]);
    const sums = new Map<string, number>();
    const add = (keyId: KeyId | null, calls = 0) => {
      if (keyId !== null && calls > 0) sums.set(keyId, (sums.get(keyId) ?? 0) + calls);
    };
    for (const { keyId, calls } of whole) add(keyId, calls);
    const skipped = Math.ceil((since - first * length) / part);
    for (const document of ofFirst) {
      if (document[field as keyof D] !== first) continue;
      for (const parts of partsOf(document)) add(document.keyId, sumFrom(parts, skipped));
    }
    return sums;
  }

  private async byPart<D extends CallsOfDay | CallsOfHour>(
    division: Division<D>,
    agencyId: AgencyId,
    keyId: string | null,
    since: Instant,
  ): Promise<CallsAt[]> {
    const { field, length, part, partsOf } = division;
    const sums = new Map<Instant, number>();
    for (const document of await this.series(division, agencyId, keyId, since)) {
      const begin = Number(document[field as keyof D]) * length;
      for (const parts of partsOf(document)) {
        for (const [n, calls] of parts.entries()) {
          const at = begin + n * part;
          if (calls > 0 && at >= since) sums.set(at, (sums.get(at) ?? 0) + calls);
        }
      }
    }
    return [...sums].map(([at, calls]) => ({ at, calls })).sort((one, other) => one.at - other.at);
  }

  private series<D extends CallsOfDay | CallsOfHour>(
    { collection, length }: Division<D>,
    agencyId: AgencyId,
    keyId: string | null,
    since: Instant,
  ): Promise<D[]> {
    const gte = Math.floor(since / length);
    return this.documents.find<D>(collection, { index: 'series', equals: [keyId, agencyId], gte, limit: LIMIT });
  }
}

const sumFrom = (parts: readonly number[], first: number): number => {
  let sum = 0;
  for (let n = Math.max(0, first); n < parts.length; n++) sum += parts[n] ?? 0;
  return sum;
};
