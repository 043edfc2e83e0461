import { Injectable } from '@nestjs/common';
import {
  type AgencyId,
  Clock,
  DAY,
  DocumentStore,
  type Duration,
  HOUR,
  type Instant,
  type KeyId,
  MINUTE,
  nextPart,
} from '#kernel';
import { CALLS_BY_DAY, type CallsOfDay, DAYS_KEPT, dayOf } from './counted-calls.js';

export interface CallsOfKey {
  readonly last24Hours: number;
  readonly last7Days: number;
}

export interface CallsAt {
  readonly at: Instant;
  readonly calls: number;
}

/** Divides the time of a document into the parts that are shown. */
interface Division {
  readonly part: Duration;
  readonly shown: number;
  partsOf(document: CallsOfDay): readonly (readonly number[])[];
}

const DIVISIONS: Readonly<Record<'hour' | 'minute', Division>> = {
  hour: { part: HOUR, shown: DAYS_KEPT * 24, partsOf: ({ routes }) => routes.map(({ hours }) => hours) },
  minute: {
    part: MINUTE,
    shown: 24 * 60,
    partsOf: ({ minutes = {} }) => [Array.from({ length: 24 }, (_, hour) => minutes[hour] ?? NO_CALLS).flat()],
  },
};

const NO_CALLS = new Array<number>(60).fill(0);

/** More than the sweep leaves of an agency within an hour. */
const LIMIT = 30_000;

/** The sum of the counts of all API processes; the last second may be missing. */
@Injectable()
export class CallCounts {
  constructor(
    private readonly documents: DocumentStore,
    private readonly clock: Clock,
  ) {}

  /** Counts by key, without keys that made no calls in seven days. Windows end with the current hour. */
  async ofKeys(agencyId: AgencyId): Promise<ReadonlyMap<string, CallsOfKey>> {
    const ofWeek = await this.totals(DIVISIONS.hour, agencyId, 7 * 24);
    const ofDay = await this.totals(DIVISIONS.hour, agencyId, 24);
    return new Map([...ofWeek].map(([keyId, last7Days]) => [keyId, { last24Hours: ofDay.get(keyId) ?? 0, last7Days }]));
  }

  /** The calls of one key in the last seven days, the most frequent route first. */
  async byRoute(keyId: KeyId): Promise<{ readonly route: string; readonly calls: number }[]> {
    const since = this.beginOfLast(7 * 24, HOUR);
    const sums = new Map<string, number>();
    const query = { index: 'series', equals: [keyId], limit: LIMIT };
    for (const { day, routes } of await this.documents.find<CallsOfDay>(CALLS_BY_DAY.name, query)) {
      for (const { route, hours } of routes) {
        const calls = sumFrom(hours, (since - day * DAY) / HOUR);
        if (calls > 0) sums.set(route, (sums.get(route) ?? 0) + calls);
      }
    }
    return [...sums].map(([route, calls]) => ({ route, calls })).sort((one, other) => other.calls - one.calls);
  }

  /** By hour of thirty days or by minute of 24 hours, of one key or of all, the oldest first; zeros are left out. */
  async series(by: 'hour' | 'minute', agencyId: AgencyId, keyId: string | null): Promise<CallsAt[]> {
    const { part, shown, partsOf } = DIVISIONS[by];
    const since = this.beginOfLast(shown, part);
    const query = { index: 'series', equals: [keyId, agencyId], gte: dayOf(since), limit: LIMIT };
    const sums = new Map<Instant, number>();
    for (const document of await this.documents.find<CallsOfDay>(CALLS_BY_DAY.name, query)) {
      for (const parts of partsOf(document)) {
        for (const [n, calls] of parts.entries()) {
          const at = document.day * DAY + n * part;
          if (calls > 0 && at >= since) sums.set(at, (sums.get(at) ?? 0) + calls);
        }
      }
    }
    return [...sums].map(([at, calls]) => ({ at, calls })).sort((one, other) => one.at - other.at);
  }

  byKey(by: 'hour' | 'minute', agencyId: AgencyId): Promise<ReadonlyMap<KeyId, number>> {
    return this.totals(DIVISIONS[by], agencyId, DIVISIONS[by].shown);
  }

  /** The beginning of the last `count` parts, including the current one. */
  private beginOfLast(count: number, part: Duration): Instant {
    const now = this.clock.now();
    return now - (now % part) - (count - 1) * part;
  }

  /** Sums the last parts by key. It reads documents of the first day only; the index has the sums of the others. */
  private async totals({ part, partsOf }: Division, agencyId: AgencyId, count: number) {
    const since = this.beginOfLast(count, part);
    const first = dayOf(since);
    const index = { index: 'calls', limit: LIMIT };
    await nextPart();
    const whole = await this.documents.findEntries<CallsOfDay>(CALLS_BY_DAY.name, {
      ...index,
      equals: [agencyId],
      gt: first,
    });
    await nextPart();
    const ofFirst = await this.documents.find<CallsOfDay>(CALLS_BY_DAY.name, { ...index, equals: [agencyId, first] });
    const sums = new Map<KeyId, number>();
    const add = (keyId: KeyId | null, calls: number) => {
      if (keyId !== null && calls > 0) sums.set(keyId, (sums.get(keyId) ?? 0) + calls);
    };
    for (const { keyId, calls } of whole) add(keyId, calls);
    for (const document of ofFirst) {
      for (const parts of partsOf(document)) add(document.keyId, sumFrom(parts, (since - first * DAY) / part));
    }
    return sums;
  }
}

/** From that part on; all of them if it lies before the first. */
const sumFrom = (parts: readonly number[], first: number): number =>
  parts.slice(Math.max(0, first)).reduce((sum, calls) => sum + calls, 0);
