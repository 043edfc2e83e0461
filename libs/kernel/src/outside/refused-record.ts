/**
 * A record of a provider's list that violates a limit or the contract, and is left out of its page (D65). It counts as
 * present. A list with a refused record without a usable id does not prove that another record is gone.
 */
export interface RefusedRecord<Id extends string = string> {
  readonly id: Id | null;
  /** Names a field, never a value. */
  readonly reason: string;
}

/** A page of records from outside, without those that were refused. */
export interface RecordPage {
  readonly refused: readonly RefusedRecord[];
  readonly nextCursor: string | null;
}
