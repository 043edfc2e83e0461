import type { EventHash } from '../event-hash.js';
import { PRINT, printOf, SEAL_EVENTS, type SealStatement } from '../seal.js';

const MAX_EVENTS = 3 * SEAL_EVENTS;

export type LoggedEvent = SealStatement['through'];

interface Difference {
  readonly kind: Extract<FaultKind, 'changed' | 'missing' | 'inserted' | 'reordered'>;
  readonly index: number;
}

/** The events since the last seal that was right. If the next seal covers other events, the prints show which. */
export class Window {
  private prints: string[] = [];
  private logged: LoggedEvent[] = [];

  /** Keeps at most `MAX_EVENTS`. A fault after these is reported without its event. */
  add(event: LoggedEvent, hash: EventHash): void {
    if (this.prints.length >= MAX_EVENTS) return;
    this.prints.push(printOf(hash));
    this.logged.push(event);
  }

  clear(): void {
    this.prints = [];
    this.logged = [];
  }

  at(index: number): LoggedEvent | undefined {
    return this.logged[index];
  }

  /** The first difference to the prints of a seal, which begin after `skipped` events; undefined if there is none. */
  differenceTo(sealPrints: string, skipped: number): Difference | undefined {
    const sealed = Array.from({ length: sealPrints.length / PRINT }, (_, n) =>
      sealPrints.slice(n * PRINT, (n + 1) * PRINT),
    );
    const found = this.prints.slice(skipped);
    const index = sealed.findIndex((print, n) => print !== found[n]);
    return index === -1 ? undefined : { kind: kindOf(sealed.slice(index), found.slice(index)), index: skipped + index };
  }
}

const kindOf = (sealed: readonly string[], found: readonly string[]): Difference['kind'] => {
  const [expected = '', ...expectedAfter] = sealed;
  const [first, ...after] = found;
  if (first === undefined) return 'missing';
  const comesEarly = expectedAfter.includes(first);
  const comesLate = after.includes(expected);
  if (comesEarly && comesLate) return 'reordered';
  if (comesEarly) return 'missing';
  return comesLate ? 'inserted' : 'changed';
};

export type FaultKind =
  | 'changed'
  | 'missing'
  | 'inserted'
  | 'reordered'
  | 'cut_off'
  | 'bad_seal'
  | 'seals_missing'
  | 'foreign_schema';

export interface Fault {
  readonly kind: FaultKind;
  /** Counted from 1 in the order of the log: where the event is, or where one is missing; 0 for the store's schema. */
  readonly number: number;
  /** The event; for a missing one, what is known of it. */
  readonly id: string | null;
  readonly stream: string | null;
  readonly revision: number | null;
  readonly message: string;
}

const MAX_FAULTS = 100;

/** All faults are counted, and the first of them are kept. */
export class Faults {
  count = 0;
  private readonly first: Fault[] = [];

  add(fault: Fault): void {
    this.count++;
    this.first.push(fault);
    if (this.first.length >= 2 * MAX_FAULTS) this.keepFirst();
  }

  /** In the order of the log. */
  list(): readonly Fault[] {
    this.keepFirst();
    return this.first;
  }

  private keepFirst(): void {
    this.first.sort((one, other) => one.number - other.number);
    this.first.splice(MAX_FAULTS);
  }
}
