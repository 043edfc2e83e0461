import { randomUUID } from 'node:crypto';
import type { AgencyId, Instant, KeyId } from '#kernel';
import { type CallsOfDay, type CallsOfHour, dayOf, hourOf, hourOfDay, minuteOfHour } from './counted-calls.js';

/** Some 2 KB each. A key that was left out begins another document. */
const MAX_OPEN = 5_000;

interface Open {
  readonly ofDay: CallsOfDay;
  readonly ofHour: CallsOfHour;
}

export interface Counted {
  readonly days: readonly CallsOfDay[];
  readonly hours: readonly CallsOfHour[];
}

/** Counts the calls of each key in memory. A document is written whole, so no counter is shared between processes. */
export class CallCounter {
  private readonly open = new Map<KeyId | AgencyId, Open>();
  /** The documents that have grown since they were taken, by id. */
  private days = new Map<string, CallsOfDay>();
  private hours = new Map<string, CallsOfHour>();

  count(agencyId: AgencyId, keyId: KeyId, route: string, at: Instant): void {
    for (const counted of [keyId, null]) this.countOf(agencyId, counted, route, at);
  }

  /** What has to be put; it is given back if it could not be. */
  take(): Counted {
    const counted = { days: [...this.days.values()], hours: [...this.hours.values()] };
    this.days = new Map();
    this.hours = new Map();
    for (const keyId of this.open.keys()) {
      if (this.open.size <= MAX_OPEN) break;
      this.open.delete(keyId);
    }
    return counted;
  }

  giveBack({ days, hours }: Counted): void {
    for (const ofDay of days) this.days.set(ofDay.id, ofDay);
    for (const ofHour of hours) this.hours.set(ofHour.id, ofHour);
  }

  private countOf(agencyId: AgencyId, keyId: KeyId | null, route: string, at: Instant): void {
    const { ofDay, ofHour } = this.openFor(agencyId, keyId, at);
    let ofRoute = ofDay.routes.find((known) => known.route === route);
    if (ofRoute === undefined) {
      ofRoute = { route, hours: zeros(24) };
      ofDay.routes.push(ofRoute);
    }
    increase(ofRoute.hours, hourOfDay(at));
    increase(ofHour.minutes, minuteOfHour(at));
    ofDay.calls++;
    ofHour.calls++;
    this.days.set(ofDay.id, ofDay);
    this.hours.set(ofHour.id, ofHour);
  }

  private openFor(agencyId: AgencyId, keyId: KeyId | null, at: Instant): Open {
    const known = this.open.get(keyId ?? agencyId);
    const [day, hour] = [dayOf(at), hourOf(at)];
    if (known?.ofHour.hour === hour) return known;
    const id = randomUUID();
    const ofDay = known?.ofDay.day === day ? known.ofDay : { id, agencyId, keyId, day, calls: 0, routes: [] };
    const opened: Open = { ofDay, ofHour: { id, agencyId, keyId, hour, calls: 0, minutes: zeros(60) } };
    this.open.set(keyId ?? agencyId, opened);
    return opened;
  }
}

const zeros = (length: number): number[] => new Array<number>(length).fill(0);

const increase = (counts: number[], at: number): void => {
  counts[at] = (counts[at] ?? 0) + 1;
};
