import type { EventHash } from '../event-hash.js';
import { PRINT, printOf, SEAL_EVENTS } from '../seal.js';
import type { FaultKind } from './fault.js';

const MAX_EVENTS = 3 * SEAL_EVENTS;

export interface LoggedEvent {
  readonly id: string;
  readonly stream: string;
  readonly revision: number;
}

export interface Difference {
  readonly kind: Extract<FaultKind, 'changed' | 'missing' | 'inserted' | 'reordered'>;
  /** How many events of the window are before it. */
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

/** The fault of the first event that differs from the sealed one. */
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
