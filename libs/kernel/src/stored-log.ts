import type { Position, Revision } from './event.js';

/** What a store holds of an event, to the byte: data and metadata are JSON as text. */
export interface StoredEvent {
  readonly id: string;
  readonly type: string;
  readonly stream: string;
  readonly revision: Revision;
  readonly position: Position;
  readonly json: { readonly data: string; readonly metadata: string };
}

/** What a store can no longer tell as an event, with what of its names can be told. */
export interface DamagedEvent {
  readonly id: string;
  readonly stream: string;
  /** What is wrong with it, as a sentence without its end. */
  readonly damage: string;
}

/** A place in the log at which the store knows that there has been an event. */
export interface EmptyPlace {
  readonly missing: true;
}

export type StoredRecord = StoredEvent | DamagedEvent | EmptyPlace;

/** The store of an event log as an auditor sees it: all that it holds, as it is held, and nothing is written. */
export interface StoredLog {
  /** Everything up to where the log ended when this was called, in the order of the log. */
  pages(): AsyncIterable<readonly StoredRecord[]>;
  /** What is found of the stream from a revision on, at most `limit` records. */
  stream(stream: string, from: Revision, limit: number): Promise<readonly StoredRecord[]>;
  close(): Promise<void>;
}
