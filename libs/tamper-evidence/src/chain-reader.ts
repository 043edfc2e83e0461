import {
  type Cache,
  Caches,
  type EventLog,
  type Instant,
  NO_EVENTS,
  type Position,
  type RecordedEvent,
  type Revision,
  type StoredEvent,
  type StoredLog,
  type StreamName,
} from '#kernel';
import { type EventHash, hashEvent, hasLineBreak, NO_HASH, splitHash } from './event-hash.js';

interface Finding {
  readonly kind: 'changed' | 'missing' | 'reordered';
  readonly message: string;
}

interface End {
  readonly revision: Revision;
  readonly hash: EventHash;
  readonly at: Instant;
}

interface Reading {
  readonly hash: EventHash;
  /** Whether the hash covers what is stored, and the event before in its stream. */
  readonly isCovered: boolean;
  /** The fault to report; none if the previous event is damaged, because the fault is that event's. */
  readonly finding: Finding | undefined;
}

/** The last events of about 20,000 streams. */
const LIMITS = { bytes: 4 * 1024 * 1024, entryBytes: 200 };
const NOTHING: End = { revision: NO_EVENTS, hash: NO_HASH, at: Number.NEGATIVE_INFINITY };

/** The hash of an event does not follow from the previous one in its stream: the event is not what was appended. */
export class BrokenChain extends Error {
  constructor({ id, stream, revision }: RecordedEvent) {
    super(`event ${id} (${stream}, revision ${revision}) is not what its hash covers`);
    this.name = 'BrokenChain';
  }
}

/** Reads whether each event, in the order of the log, is where its hash says, after the previous one in its stream. */
export class ChainReader {
  /** Most events follow the previous one of their stream closely. If the cache has dropped it, it is read again. */
  private readonly ends: Cache<string, End>;

  constructor(
    private readonly log: Pick<StoredLog, 'stream'>,
    caches: Caches = Caches.ON,
  ) {
    this.ends = caches.create(LIMITS);
  }

  startAgain(): void {
    this.ends.clear();
  }

  async read(event: StoredEvent, at = timeOf(event)): Promise<Reading> {
    const { id, type, stream, revision } = event;
    const end = this.ends.get(stream);
    const split = splitHash(event.json.metadata);
    const hash = split?.hash ?? NO_HASH;
    const broken = (finding: Finding | undefined): Reading => ({ hash, isCovered: false, finding });
    if (end !== undefined && end.revision >= revision) return broken(reordered(end.revision));
    const link = end?.revision === revision - 1 ? end : await this.linkBefore(event);
    this.ends.set(stream, { revision, hash, at: at ?? NOTHING.at });
    if (split === undefined) return broken(changed('its metadata has no hash'));
    if (at === undefined) return broken(changed('it has no time'));
    if (link === 'missing') return broken(missing((end?.revision ?? revision - 2) + 1, revision - 1));
    if (link === 'damaged') return broken(undefined);
    if ([stream, id, type].some(hasLineBreak)) return broken(changed('a name has a line break'));
    const json = { data: event.json.data, metadata: split.metadata };
    if (hashEvent({ id, type, json }, stream, revision, link.hash) !== hash)
      return broken(changed('its hash does not cover what is stored, or not the event before in its stream'));
    const isEarlier = at < link.at;
    const finding = isEarlier ? changed('its time is before that of the event before in its stream') : undefined;
    return { hash, isCovered: true, finding };
  }

  /** The event that this one must follow, if it is not the last one seen of its stream. */
  private async linkBefore({ stream, revision, position }: StoredEvent): Promise<End | 'missing' | 'damaged'> {
    if (revision === 0) return NOTHING;
    const [before] = await this.log.stream(stream, revision - 1, 1);
    if (before !== undefined && 'damage' in before) return 'damaged';
    if (before === undefined || !('json' in before) || !isBefore(before, revision, position)) return 'missing';
    return {
      revision: before.revision,
      hash: splitHash(before.json.metadata)?.hash ?? NO_HASH,
      at: timeOf(before) ?? NOTHING.at,
    };
  }
}

const isBefore = (event: StoredEvent, revision: Revision, position: Position): boolean =>
  event.revision === revision - 1 && event.position < position;

const timeOf = ({ json }: StoredEvent): Instant | undefined => {
  try {
    const metadata: unknown = JSON.parse(json.metadata);
    const isTimed = typeof metadata === 'object' && metadata !== null && 'at' in metadata;
    return isTimed && typeof metadata.at === 'number' ? metadata.at : undefined;
  } catch {
    return undefined;
  }
};

const changed = (message: string): Finding => ({ kind: 'changed', message });

const reordered = (last: Revision): Finding => ({
  kind: 'reordered',
  message: `it comes after revision ${last} of its stream`,
});

const missing = (first: Revision, last: Revision): Finding => ({
  kind: 'missing',
  message:
    first === last
      ? `revision ${first} of its stream is missing before it`
      : `revisions ${first} to ${last} of its stream are missing before it`,
});

/**
 * The log of a running service in the form that a chain covers. It must be the one that `withHashChain` returned: the
 * layers above it (encryption, upcasting) show events in another form than stored.
 */
export const asStored = (log: Pick<EventLog, 'readStream'>): Pick<StoredLog, 'stream'> => ({
  stream: async (stream, from, limit) => (await log.readStream(stream as StreamName, { from, limit })).map(storedForm),
});

export const storedForm = ({ id, type, stream, revision, position, data, metadata }: RecordedEvent): StoredEvent => {
  const json = { data: JSON.stringify(data), metadata: JSON.stringify(metadata) };
  return { id, type, stream, revision, position, json };
};
