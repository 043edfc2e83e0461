import type { WorkspaceId } from './ids.js';
import type { Instant } from './instant.js';

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/**
 * A fact, named by an explicit versioned string such as `scan.queued.v1`. Names, aliases, emails, URLs and external ids
 * sit in the one member `personal` of `data`, so that they can be encrypted per creator.
 */
export interface DomainEvent {
  readonly type: string;
  readonly data: object;
}

/** What stands where a personal text was, once its creator's key has been destroyed. */
export const ERASED = '[erased]';

/** What a reader without the key sees in place of a personal text. */
export const SEALED = '[sealed]';

export interface EventMetadata {
  /** When it was decided; never earlier than the stream's event before. */
  readonly at: Instant;
  /** The request id, or the process run, that all of a chain share. */
  readonly correlationId: string;
  /** The event that made a process act, or null where a request did. */
  readonly causationId: string | null;
  /** `key:<key_id>`, `process:<name>` or `operator:<name>`. */
  readonly actor: string;
  readonly workspaceId: WorkspaceId | null;
  /** Covers what is stored of the event and the hash before it in its stream; put there by `withHashChain`. */
  readonly hash?: string;
}

export interface EventToAppend<Event extends DomainEvent = DomainEvent> {
  /** UUID, unique in the log; a repeated append is recognised by it. */
  readonly id: string;
  readonly type: Event['type'];
  readonly data: Event['data'];
  readonly metadata: EventMetadata;
  /** What `JSON.stringify` gives of data and metadata, where somebody needed it before: it is what a store keeps then. */
  readonly json?: { readonly data: string; readonly metadata: string };
}

/**
 * A place in the whole log: a safe integer that grows, not densely. 0 is before the first event. It never leaves
 * its store: whatever is kept or shown names events by id or by stream and revision.
 */
export type Position = number;

/** Where in its stream an event stands, counted from 0. */
export type Revision = number;

export const NO_EVENTS: Revision = -1;

/** `<category>-<id>`. */
export type StreamName = `${string}-${string}`;

export const streamName = (category: string, id: string): StreamName => `${category}-${id}`;

/** The category is what stands before the first hyphen. */
export const categoryOf = (stream: string): string => stream.slice(0, stream.indexOf('-'));

/** The id is what stands after the first hyphen. */
export const streamId = (stream: string): string => stream.slice(stream.indexOf('-') + 1);

export type RecordedEvent<Event extends DomainEvent = DomainEvent> = Event & {
  readonly id: string;
  readonly stream: StreamName;
  readonly revision: Revision;
  readonly position: Position;
  readonly metadata: EventMetadata;
};
