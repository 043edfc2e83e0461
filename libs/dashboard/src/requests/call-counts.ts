import { Injectable } from '@nestjs/common';
import { type AgencyId, Clock, DocumentStore, HOUR, type Instant, type KeyId, MINUTE } from '#kernel';
import {
  CALLS_BY_DAY,
  CALLS_BY_HOUR,
  type CallsOfDay,
  type CallsOfHour,
  DAYS_KEPT,
  dayOf,
  HOURS_KEPT,
  hourOf,
} from './counted-calls.js';

export interface CallsOfKey {
  readonly last24Hours: number;
  readonly last7Days: number;
}

export interface CallsAt {
  readonly keyId: KeyId;
  readonly at: Instant;
  readonly calls: number;
}

const HOURS_OF_WEEK = 7 * 24;
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
    const now = hourOf(this.clock.now());
    const sums = new Map<string, CallsOfKey>();
    for (const { keyId, hour, calls } of await this.hourly({ index: 'agency', equals: [agencyId] }, HOURS_OF_WEEK)) {
      const { last24Hours, last7Days } = sums.get(keyId) ?? { last24Hours: 0, last7Days: 0 };
      const isOfDay = hour > now - 24;
      sums.set(keyId, { last24Hours: last24Hours + (isOfDay ? calls : 0), last7Days: last7Days + calls });
    }
    return sums;
  }

  /** The calls of one key in the last seven days, the most frequent route first. */
  async byRoute(keyId: KeyId): Promise<{ readonly route: string; readonly calls: number }[]> {
    const sums = new Map<string, number>();
    for (const { route, calls } of await this.hourly({ index: 'key', equals: [keyId] }, HOURS_OF_WEEK)) {
      sums.set(route, (sums.get(route) ?? 0) + calls);
    }
    return [...sums].map(([route, calls]) => ({ route, calls })).sort((one, other) => other.calls - one.calls);
  }

  /** Of thirty days, the oldest first; hours without calls are left out. */
  async byHour(agencyId: AgencyId): Promise<CallsAt[]> {
    const counted = await this.hourly({ index: 'agency', equals: [agencyId] }, DAYS_KEPT * 24);
    return summed(counted.map(({ keyId, hour, calls }) => ({ keyId, at: hour * HOUR, calls })));
  }

  /** Of 24 hours, the oldest first; minutes without calls are left out. */
  async byMinute(agencyId: AgencyId): Promise<CallsAt[]> {
    const now = this.clock.now();
    const counts = await this.documents.find<CallsOfHour>(CALLS_BY_HOUR.name, {
      index: 'agency',
      equals: [agencyId],
      gte: hourOf(now) - HOURS_KEPT,
      limit: LIMIT,
    });
    const minutes = counts.flatMap(({ keyId, hour, minutes }) =>
      minutes.map((calls, minute) => ({ keyId, at: hour * HOUR + minute * MINUTE, calls })),
    );
    return summed(minutes.filter(({ at, calls }) => calls > 0 && at > now - HOURS_KEPT * HOUR));
  }

  /** The calls of each key, route and hour, of so many hours up to the present one. */
  private async hourly(which: { index: string; equals: readonly string[] }, hours: number) {
    const first = hourOf(this.clock.now()) - hours + 1;
    const gte = dayOf(first * HOUR);
    const days = await this.documents.find<CallsOfDay>(CALLS_BY_DAY.name, { ...which, gte, limit: LIMIT });
    return days
      .flatMap(({ keyId, day, routes }) =>
        routes.flatMap(({ route, hours: ofDay }) =>
          ofDay.map((calls, hour) => ({ keyId, route, hour: day * 24 + hour, calls })),
        ),
      )
      .filter(({ hour, calls }) => calls > 0 && hour >= first);
  }
}

/** The counts of several processes and routes as one of each key and time. */
const summed = (counts: readonly CallsAt[]): CallsAt[] => {
  const sums = new Map<string, CallsAt>();
  for (const { keyId, at, calls } of counts) {
    const id = `${at} ${keyId}`;
    sums.set(id, { keyId, at, calls: calls + (sums.get(id)?.calls ?? 0) });
  }
  return [...sums.values()].sort((one, other) => one.at - other.at);
};
