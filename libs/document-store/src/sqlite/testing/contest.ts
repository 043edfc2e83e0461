import type { CollectionDefinition, Document } from '#kernel';

/** The work that several processes do on one file at the same time. */
export const CONTEST = { counts: 400, turns: 60, prizes: 120, files: 12 } as const;

export const TALLY: CollectionDefinition = { name: 'tally', indexes: [{ name: 'by_sum', fields: ['sum'] }] };
export const PRIZES: CollectionDefinition = { name: 'prizes', indexes: [{ name: 'by_winner', fields: ['winner'] }] };
export const ARRIVALS: CollectionDefinition = { name: 'arrivals', indexes: [{ name: 'by_id', fields: [] }] };

export interface Tally extends Document {
  readonly sum: number;
}

export interface Prize extends Document {
  readonly winner: string;
}

/** The report of one process at its end. */
export interface Outcome {
  /** The results of its increments. */
  readonly counted: readonly number[];
  /** The fences of its turns with the lease. */
  readonly fences: readonly number[];
  readonly prizes: readonly string[];
  /** The results of its one increment in each new file. */
  readonly opened: readonly number[];
}
