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
