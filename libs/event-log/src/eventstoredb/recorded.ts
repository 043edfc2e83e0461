import type streams from '@eventstore/db-client/generated/streams_pb.js';
import {
  type EventMetadata,
  type Position,
  type RecordedEvent,
  type Revision,
  type StoredEvent,
  StoreUnavailable,
  type StreamName,
} from '#kernel';

export interface Seen {
  readonly position: Position;
  /** Its revision. The event that deletes a stream for good has the greatest number of the server. */
  readonly revision: Revision;
  /** Undefined for events that this service has not written: the system's, and those of other applications. */
  readonly event: RecordedEvent | undefined;
}

type Recorded = streams.ReadResp.ReadEvent.RecordedEvent;

/** Undefined for a message without an event. */
export function seen(message: streams.ReadResp): Seen | undefined {
  const recorded = message.getEvent()?.getEvent();
  if (recorded === undefined) return undefined;
  const position = positionOf(recorded.getCommitPosition());
  const revision = Number(recorded.getStreamRevision());
  return { position, revision, event: eventOf(recorded, revision, position) };
}

/** The same with the texts as the server stores them; without an event if `seen` has none. */
export function storedIn(
  message: streams.ReadResp,
): { position: Position; event: StoredEvent | undefined } | undefined {
  const recorded = message.getEvent()?.getEvent();
  const one = seen(message);
  if (recorded === undefined || one === undefined) return undefined;
  const { position, event } = one;
  if (event === undefined) return { position, event };
  const json = { data: decoded(recorded.getData_asU8()), metadata: decoded(recorded.getCustomMetadata_asU8()) };
  const { id, type, stream, revision } = event;
  return { position, event: { id, type, stream, revision, position, json } };
}

/** A byte offset in the server's log: exact up to 9 petabytes, and refused beyond that. */
export function positionOf(text: string): Position {
  const position = Number(text);
  if (!Number.isSafeInteger(position)) {
    throw new StoreUnavailable(`event log: ${text} is not a valid position; EventStoreDB 23.10 or later is required`);
  }
  return position;
}

function eventOf(recorded: Recorded, revision: Revision, position: Position): RecordedEvent | undefined {
  const properties = recorded.getMetadataMap();
  const type = properties.get('type') ?? '';
  const stream = decoded(recorded.getStreamIdentifier()?.getStreamName_asU8());
  if (type.startsWith('$') || !isStreamName(stream) || properties.get('content-type') !== 'application/json') {
    return undefined;
  }
  const metadata = parsed(recorded.getCustomMetadata_asU8());
  const data = parsed(recorded.getData_asU8());
  if (!isMetadata(metadata) || typeof data !== 'object' || data === null) return undefined;
  return {
    id: recorded.getId()?.getString() ?? '',
    type,
    stream,
    revision,
    position,
    data,
    metadata,
  };
}

const decoded = (bytes: Uint8Array = new Uint8Array()): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();

const parsed = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(decoded(bytes));
  } catch {
    return undefined;
  }
};

const isStreamName = (stream: string): stream is StreamName => stream.indexOf('-') > 0 && !stream.startsWith('$');

/** Every event of this service has its time, its actor and its correlation id. */
const isMetadata = (metadata: unknown): metadata is EventMetadata =>
  typeof metadata === 'object' &&
  metadata !== null &&
  'at' in metadata &&
  typeof metadata.at === 'number' &&
  'actor' in metadata &&
  typeof metadata.actor === 'string' &&
  'correlationId' in metadata &&
  typeof metadata.correlationId === 'string';
