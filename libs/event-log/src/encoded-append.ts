import {
  type Appended,
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

export interface EventLocation {
  readonly stream: string;
  readonly revision: Revision;
  readonly position: Position;
}

/**
 * The first result, if exactly these events are where this append would have put them; undefined if the log knows
 * none of their ids; otherwise the append reuses ids for other events.
 */
export function repeatedAppend(
  {
    stream,
    expected,
    events,
  }: Pick<EncodedAppend, 'stream' | 'expected'> & { readonly events: readonly { readonly id: string }[] },
  locationOf: (id: string) => EventLocation | undefined,
): Appended | InvalidAppend | undefined {
  const locations = events.map((event) => locationOf(event.id));
  if (locations.every((location) => location === undefined)) return undefined;

  const first = expected === 'any' ? locations[0]?.revision : (expected === 'none' ? NO_EVENTS : expected) + 1;
  const areInOrder = locations.every(
    (location, index) => first !== undefined && location?.stream === stream && location.revision === first + index,
  );
  const last = locations.at(-1);
  return areInOrder && last
    ? { revision: last.revision, position: last.position }
    : new InvalidAppend(`event ids of an append to ${stream} belong to other events`);
}

export interface EncodedEvent {
  readonly id: string;
  readonly type: string;
  readonly data: string;
  readonly metadata: string;
  /** JSON of the recorded event, without the end that `recordedBody` adds. */
  readonly body: string;
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
  const bytes = encoded.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0);
  if (bytes > MAX_APPEND_BYTES) {
    throw new InvalidAppend(`${bytes} bytes for ${stream}: at most ${MAX_APPEND_BYTES} in one append`);
  }
  return { stream, expected, events: encoded, bytes };
}

function encodeEvent(stream: StreamName, event: EventToAppend): EncodedEvent {
  const { id, type } = event;
  try {
    const data = event.json?.data ?? JSON.stringify(event.data);
    const metadata = event.json?.metadata ?? JSON.stringify(event.metadata);
    // JSON.stringify returns undefined for values that JSON does not have.
    if (data === undefined || metadata === undefined) throw new TypeError('data or metadata is missing');
    const named = JSON.stringify({ id, type, stream }).slice(0, -1);
    return { id, type, data, metadata, body: `${named},"data":${data},"metadata":${metadata}` };
  } catch (error) {
    throw new InvalidAppend(`${type} for ${stream} is not JSON: ${String(error)}`);
  }
}

/** The recorded event itself is stored, so that a read is one `JSON.parse`. */
export const recordedBody = (body: string, revision: Revision, position: Position): string =>
  `${body},"revision":${revision},"position":${position}}`;

export const parseBody = (body: string): RecordedEvent => JSON.parse(body) as RecordedEvent;

export const isExpected = (expected: ExpectedRevision, last: Revision): boolean =>
  expected === 'any' || (expected === 'none' ? NO_EVENTS : expected) === last;
