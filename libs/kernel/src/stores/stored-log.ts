import type { Position, RecordedEvent, Revision } from '../events/event.js';

export interface StoredEvent {
  readonly id: string;
  readonly type: string;
  readonly stream: string;
  readonly revision: Revision;
  readonly position: Position;
  readonly json: { readonly data: string; readonly metadata: string };
}

/** A record that cannot be read as an event, with as much of its names as can be read. */
export interface DamagedEvent {
  readonly id: string;
  readonly stream: string;
  readonly damage: string;
}

/** The store knows that an event existed at this position. */
export interface MissingPosition {
  readonly missing: true;
}

export type StoredRecord = StoredEvent | DamagedEvent | MissingPosition;

/** Read access for auditors to all records of an event log's store, as they are stored. */
export interface StoredLog {
  /** All records up to the end that the log had at the call, in the order of the log. */
  pages(): AsyncIterable<readonly StoredRecord[]>;
  stream(stream: string, from: Revision, limit: number): Promise<readonly StoredRecord[]>;
  /** Sentences on what could change events, such as triggers, and on missing tables or indexes. */
  schemaFaults?(): Promise<readonly string[]>;
  close(): Promise<void>;
}

export interface ReadableLog {
  events(): AsyncIterable<RecordedEvent>;
  /** Why events were left out of `events` so far; undefined if none was. */
  readonly damage: string | undefined;
  close(): Promise<void>;
}
