import {
  type EventToAppend,
  type ExpectedRevision,
  InvalidAppend,
  MAX_APPEND_BYTES,
  MAX_APPEND_EVENTS,
  NO_EVENTS,
  type Position,
  type RecordedEvent,
  type Revision,
  type StreamName,
} from '#kernel/ports';

export interface EncodedEvent {
  readonly id: string;
  readonly type: string;
  /** JSON of an object that holds id, type and stream. */
  readonly envelope: string;
  readonly data: string;
  readonly metadata: string;
}

/** An append as text; it shares no object with the caller. */
export interface EncodedAppend {
  readonly stream: StreamName;
  readonly expected: ExpectedRevision;
  readonly events: readonly EncodedEvent[];
  readonly bytes: number;
}

export function encodeAppend(
  stream: StreamName,
  expected: ExpectedRevision,
  events: readonly EventToAppend[],
): EncodedAppend {
  if (events.length === 0) throw new InvalidAppend(`nothing to append to ${stream}`);
  if (events.length > MAX_APPEND_EVENTS) {
    throw new InvalidAppend(`${events.length} events for ${stream}: at most ${MAX_APPEND_EVENTS} in one append`);
  }
  const encoded = events.map((event) => encodeEvent(stream, event));
  if (encoded.length > 1 && new Set(encoded.map((event) => event.id)).size < encoded.length) {
    throw new InvalidAppend(`an event id twice in one append to ${stream}`);
  }
  const bytes = encoded.reduce((sum, event) => sum + sizeOf(event), 0);
  if (bytes > MAX_APPEND_BYTES) {
    throw new InvalidAppend(`${bytes} bytes for ${stream}: at most ${MAX_APPEND_BYTES} in one append`);
  }
  return { stream, expected, events: encoded, bytes };
}

function encodeEvent(stream: StreamName, { id, type, data, metadata, json }: EventToAppend): EncodedEvent {
  try {
    const envelope = JSON.stringify({ id, type, stream });
    const text = json ?? { data: JSON.stringify(data), metadata: JSON.stringify(metadata) };
    return { id, type, envelope, data: text.data, metadata: text.metadata };
  } catch (error) {
    throw new InvalidAppend(`${type} for ${stream} is not JSON: ${String(error)}`);
  }
}

const sizeOf = ({ envelope, data, metadata }: EncodedEvent): number =>
  Buffer.byteLength(envelope) +
  Buffer.byteLength(data) +
  Buffer.byteLength(metadata) +
  ',"data":,"metadata":'.length -
  1;

/** What is stored is the recorded event itself, so that reading it is one `JSON.parse` and nothing else. */
export const recordedBody = (
  { envelope, data, metadata }: EncodedEvent,
  revision: Revision,
  position: Position,
): string =>
  `${envelope.slice(0, -1)},"data":${data},"metadata":${metadata},"revision":${revision},"position":${position}}`;

export const parseBody = (body: string): RecordedEvent => JSON.parse(body) as RecordedEvent;

export const isExpected = (expected: ExpectedRevision, last: Revision): boolean =>
  expected === 'any' || (expected === 'none' ? NO_EVENTS : expected) === last;
