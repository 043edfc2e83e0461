import type { WorkspaceId } from '../ids.js';
import type { Instant } from '../instant.js';

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** Names, aliases, emails, URLs and external ids are in the field `personal` of `data`, which is encrypted. */
export interface DomainEvent {
  readonly type: string;
  readonly data: object;
}

export interface EventMetadata {
  /** When it was decided; never earlier than the previous event of the stream. */
  readonly at: Instant;
  /** The id of the request or the process run that started the chain of events. */
  readonly correlationId: string;
  /** The event that a process handled; null for a request. */
  readonly causationId: string | null;
  /** `key:<key_id>`, `process:<name>` or `operator:<name>`. */
  readonly actor: string;
  readonly workspaceId: WorkspaceId | null;
  /** The hash of the stored event and of the previous hash of its stream; `withHashChain` sets it. */
  readonly hash?: string;
}

export interface EventToAppend<Event extends DomainEvent = DomainEvent> {
  readonly id: string;
  readonly type: Event['type'];
  readonly data: Event['data'];
  readonly metadata: EventMetadata;
  /** The JSON of data and metadata, if it was already needed. A store stores exactly these texts. */
  readonly json?: { readonly data: string; readonly metadata: string };
}

/** A safe integer that grows, with gaps; 0 is before the first event. It is valid only in its store. */
export type Position = number;

export type Revision = number;

export const NO_EVENTS: Revision = -1;

/** `<category>-<id>`. */
export type StreamName = `${string}-${string}`;

export const streamName = (category: string, id: string): StreamName => `${category}-${id}`;

export const categoryOf = (stream: string): string => stream.slice(0, stream.indexOf('-'));

export const streamId = (stream: string): string => stream.slice(stream.indexOf('-') + 1);

export type RecordedEvent<Event extends DomainEvent = DomainEvent> = Event & {
  readonly id: string;
  readonly stream: StreamName;
  readonly revision: Revision;
  readonly position: Position;
  readonly metadata: EventMetadata;
};

/** Names an event, and where this log has it: another log has another event there, or none. */
export type EventInLog = Pick<RecordedEvent, 'id' | 'stream' | 'revision' | 'position'>;

export const eventInLog = ({ id, stream, revision, position }: EventInLog): EventInLog => ({
  id,
  stream,
  revision,
  position,
});
