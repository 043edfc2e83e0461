import type { Position, RecordedEvent, Revision } from '../events/event.js';

/** An event exactly as it is stored, with data and metadata as JSON text. */
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
  /** What is wrong with it, as a sentence without the full stop. */
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
  /** The records of the stream from a revision on, at most `limit`. */
  stream(stream: string, from: Revision, limit: number): Promise<readonly StoredRecord[]>;
  /**
   * Objects of the schema that could change events, such as triggers, and missing tables or indexes, as sentences without
   * full stops. A store without a schema leaves this out.
   */
  schemaFaults?(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** Read access to a log that may be damaged. */
export interface ReadableLog {
  /** In the order of the log, without what cannot be read. */
  events(): AsyncIterable<RecordedEvent>;
  /** Why events were left out, as far as `events` has come; undefined if none was. */
  readonly damage: string | undefined;
  close(): Promise<void>;
}
