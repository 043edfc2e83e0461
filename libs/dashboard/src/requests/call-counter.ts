import { randomUUID } from 'node:crypto';
import { type AgencyId, HOUR, type Instant, type KeyId, MINUTE } from '#kernel';
import { type CallsOfDay, dayOf, hourOfDay } from './counted-calls.js';

/** A document has some 2 KB, or 15 KB for a key that is used every minute. A key that was dropped starts a new one. */
const MAX_OPEN = 5_000;

/** Counts the calls of each key in memory. A document is written whole, so no counter is shared between processes. */
export class CallCounter {
  private readonly open = new Map<KeyId | AgencyId, Required<CallsOfDay>>();
  /** The documents that have changed since they were taken, by id. */
  private grown = new Map<string, CallsOfDay>();

  count(agencyId: AgencyId, keyId: KeyId, route: string, at: Instant): void {
    for (const counted of [keyId, null]) this.countOf(agencyId, counted, route, at);
  }

  /** Returns the documents to write. `giveBack` returns them if that fails. */
  take(): CallsOfDay[] {
    const taken = [...this.grown.values()];
    this.grown = new Map();
    for (const keyId of this.open.keys()) {
      if (this.open.size <= MAX_OPEN) break;
      this.open.delete(keyId);
    }
    return taken;
  }

  giveBack(taken: readonly CallsOfDay[]): void {
    for (const ofDay of taken) this.grown.set(ofDay.id, ofDay);
  }

  private countOf(agencyId: AgencyId, keyId: KeyId | null, route: string, at: Instant): void {
    const ofDay = this.openFor(agencyId, keyId, at);
    const hour = hourOfDay(at);
    let ofRoute = ofDay.routes.find((known) => known.route === route);
    if (ofRoute === undefined) {
      ofRoute = { route, hours: zeros(24) };
      ofDay.routes.push(ofRoute);
    }
    const ofHour = ofDay.minutes[hour] ?? zeros(60);
    ofDay.minutes[hour] = ofHour;
    increase(ofRoute.hours, hour);
    increase(ofHour, Math.floor((at % HOUR) / MINUTE));
    ofDay.calls++;
    this.grown.set(ofDay.id, ofDay);
  }

  private openFor(agencyId: AgencyId, keyId: KeyId | null, at: Instant): Required<CallsOfDay> {
    const known = this.open.get(keyId ?? agencyId);
    const day = dayOf(at);
    if (known?.day === day) return known;
    const opened = { id: randomUUID(), agencyId, keyId, day, calls: 0, routes: [], minutes: {} };
    this.open.set(keyId ?? agencyId, opened);
    return opened;
  }
}

const zeros = (length: number): number[] => new Array<number>(length).fill(0);

const increase = (counts: number[], at: number): void => {
  counts[at] = (counts[at] ?? 0) + 1;
};
