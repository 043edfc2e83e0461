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
  nextPart,
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

/** How a document divides its time into the parts that are shown. */
interface Division<D extends Document> {
  readonly collection: string;
  readonly length: Duration;
  readonly part: Duration;
  /** How many parts are shown. */
  readonly shown: number;
  beginOf(document: D): Instant;
  /** The calls of each part. */
  partsOf(document: D): readonly (readonly number[])[];
}

const HOURS: Division<CallsOfDay> = {
  collection: CALLS_BY_DAY.name,
  length: DAY,
  part: HOUR,
  shown: DAYS_KEPT * 24,
  beginOf: ({ day }) => day * DAY,
  partsOf: ({ routes }) => routes.map(({ hours }) => hours),
};

const MINUTES: Division<CallsOfHour> = {
  collection: CALLS_BY_HOUR.name,
  length: HOUR,
  part: MINUTE,
  shown: HOURS_KEPT * 60,
  beginOf: ({ hour }) => hour * HOUR,
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
    const ofWeek = await this.totals(HOURS, agencyId, 7 * 24);
    const ofDay = await this.totals(HOURS, agencyId, 24);
    return new Map([...ofWeek].map(([keyId, last7Days]) => [keyId, { last24Hours: ofDay.get(keyId) ?? 0, last7Days }]));
  }

  /** The calls of one key in the last seven days, the most frequent route first. */
  async byRoute(keyId: KeyId): Promise<{ readonly route: string; readonly calls: number }[]> {
    const since = this.beginOfLast(7 * 24, HOUR);
    const sums = new Map<string, number>();
    const query = { index: 'series', equals: [keyId], limit: LIMIT };
    for (const { day, routes } of await this.documents.find<CallsOfDay>(HOURS.collection, query)) {
      for (const { route, hours } of routes) {
        const calls = sumFrom(hours, (since - day * DAY) / HOUR);
        if (calls > 0) sums.set(route, (sums.get(route) ?? 0) + calls);
      }
    }
    return [...sums].map(([route, calls]) => ({ route, calls })).sort((one, other) => other.calls - one.calls);
  }

  /** By hour of thirty days or by minute of 24 hours, of one key or of all, the oldest first; zeros are left out. */
  series(by: 'hour' | 'minute', agencyId: AgencyId, keyId: string | null): Promise<CallsAt[]> {
    return by === 'hour' ? this.byPart(HOURS, agencyId, keyId) : this.byPart(MINUTES, agencyId, keyId);
  }

  /** The calls of each key in the time of the series. */
  byKey(by: 'hour' | 'minute', agencyId: AgencyId): Promise<ReadonlyMap<string, number>> {
    return by === 'hour' ? this.totals(HOURS, agencyId, HOURS.shown) : this.totals(MINUTES, agencyId, MINUTES.shown);
  }

  /** When so many parts began, of which the present one is the last. */
  private beginOfLast(count: number, part: Duration): Instant {
    const now = this.clock.now();
    return now - (now % part) - (count - 1) * part;
  }

  /** Of the last parts, by key. Only the documents of the first day or hour are read, others in the index. */
  private async totals<D extends CallsOfDay | CallsOfHour>(
    { collection, length, part, partsOf }: Division<D>,
    agencyId: AgencyId,
    count: number,
  ): Promise<ReadonlyMap<string, number>> {
    const since = this.beginOfLast(count, part);
    const first = Math.floor(since / length);
    const index = { index: 'calls', limit: LIMIT };
    await nextPart();
    const whole = await this.documents.findEntries<D>(collection, { ...index, equals: [agencyId], gt: first });
    await nextPart();
    const ofFirst = await this.documents.find<D>(collection, { ...index, equals: [agencyId, first] });
    const sums = new Map<string, number>();
    const add = (keyId: KeyId | null, calls: number) => {
      if (keyId !== null && calls > 0) sums.set(keyId, (sums.get(keyId) ?? 0) + calls);
    };
    for (const { keyId, calls } of whole) add(keyId, calls);
    for (const document of ofFirst) {
      for (const parts of partsOf(document)) add(document.keyId, sumFrom(parts, (since - first * length) / part));
    }
    return sums;
  }

  private async byPart<D extends CallsOfDay | CallsOfHour>(
    { collection, length, part, shown, beginOf, partsOf }: Division<D>,
    agencyId: AgencyId,
    keyId: string | null,
  ): Promise<CallsAt[]> {
    const since = this.beginOfLast(shown, part);
    const query = { index: 'series', equals: [keyId, agencyId], gte: Math.floor(since / length), limit: LIMIT };
    const sums = new Map<Instant, number>();
    for (const document of await this.documents.find<D>(collection, query)) {
      for (const parts of partsOf(document)) {
        for (const [n, calls] of parts.entries()) {
          const at = beginOf(document) + n * part;
          if (calls > 0 && at >= since) sums.set(at, (sums.get(at) ?? 0) + calls);
        }
      }
    }
    return [...sums].map(([at, calls]) => ({ at, calls })).sort((one, other) => one.at - other.at);
  }
}

/** From that part on; all of them if it lies before the first. */
const sumFrom = (parts: readonly number[], first: number): number =>
  parts.slice(Math.max(0, first)).reduce((sum, calls) => sum + calls, 0);
