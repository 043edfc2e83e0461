import streams from '@eventstore/db-client/generated/streams_pb.js';
import {
  type EventMetadata,
  type Position,
  type RecordedEvent,
  type Revision,
  type StoredEvent,
  StoreUnavailable,
  type StreamName,
} from '#kernel';

/** A page ends after this many bytes: an event may take half a megabyte, and in memory several times that. */
const PAGE_BYTES = 4 * 1024 * 1024;

/** Counts the bytes of a page's events. Those up to `after` are repeated and do not count, so each page advances. */
export class ByteLimit {
  private bytes = 0;

  constructor(private readonly after: Position) {}

  get isReached(): boolean {
    return this.bytes >= PAGE_BYTES;
  }

  count(message: streams.ReadResp): void {
    const recorded = message.getEvent()?.getEvent();
    if (recorded === undefined || positionOf(recorded.getCommitPosition()) <= this.after) return;
    this.bytes += recorded.getData_asU8().length + recorded.getCustomMetadata_asU8().length;
  }
}

type Recorded = streams.ReadResp.ReadEvent.RecordedEvent;

/** An event as it came from the server. It is parsed when it is first needed, once for all readers. */
export class Seen {
  readonly position: Position;
  /** The event that permanently deletes a stream has the highest number of the server. */
  readonly revision: Revision;
  readonly stream: string;
  readonly type: string;
  readonly bytes: number;
  #recorded: Recorded | undefined;
  #event: RecordedEvent | undefined;

  constructor(recorded: Recorded) {
    this.position = positionOf(recorded.getCommitPosition());
    this.revision = Number(recorded.getStreamRevision());
    this.stream = decoded(recorded.getStreamIdentifier()?.getStreamName_asU8());
    this.type = recorded.getMetadataMap().get('type') ?? '';
    this.bytes = recorded.getData_asU8().length + recorded.getCustomMetadata_asU8().length;
    this.#recorded = recorded;
  }

  /** Undefined for events that this service has not written: system events, and those of other applications. */
  get event(): RecordedEvent | undefined {
    if (this.#recorded !== undefined) this.#event = eventOf(this.#recorded, this);
    this.#recorded = undefined;
    return this.#event;
  }
}

export function seen(message: streams.ReadResp): Seen | undefined {
  const recorded = message.getEvent()?.getEvent();
  return recorded && new Seen(recorded);
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

function eventOf(recorded: Recorded, { type, stream, revision, position }: Seen): RecordedEvent | undefined {
  const isJson = recorded.getMetadataMap().get('content-type') === 'application/json';
  if (type.startsWith('$') || !isStreamName(stream) || !isJson) return undefined;
  const metadata = parsed(recorded.getCustomMetadata_asU8());
  const data = parsed(recorded.getData_asU8());
  if (!isMetadata(metadata) || typeof data !== 'object' || data === null) return undefined;
  return { id: recorded.getId()?.getString() ?? '', type, stream, revision, position, data, metadata };
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

const isMetadata = (metadata: unknown): metadata is EventMetadata =>
  typeof metadata === 'object' &&
  metadata !== null &&
  'at' in metadata &&
  typeof metadata.at === 'number' &&
  'actor' in metadata &&
  typeof metadata.actor === 'string' &&
  'correlationId' in metadata &&
  typeof metadata.correlationId === 'string';
