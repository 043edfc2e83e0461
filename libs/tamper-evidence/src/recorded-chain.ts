import {
  type Cache,
  Caches,
  type EventLog,
  NO_EVENTS,
  type RecordedEvent,
  type Revision,
  type StreamName,
} from '#kernel';
import { type EventHash, hashEvent, NO_HASH } from './event-hash.js';

/** The hash of an event does not follow from the previous one in its stream: the event is not what was appended. */
export class BrokenChain extends Error {
  constructor(event: Pick<RecordedEvent, 'id' | 'stream' | 'revision'>) {
    super(`event ${event.id} (${event.stream}, revision ${event.revision}) is not what its hash covers`);
    this.name = 'BrokenChain';
  }
}

interface End {
  readonly revision: Revision;
  readonly hash: EventHash;
}

/** The last hashes of about 20,000 streams. */
const LIMITS = { bytes: 4 * 1024 * 1024, entryBytes: 200 };
const BEGINNING: End = { revision: NO_EVENTS, hash: NO_HASH };

/**
 * Recomputes the hashes of recorded events, in the order of the log. The log must be the one that `withHashChain`
 * returned: the layers above it (encryption, upcasting) show events in another form than stored.
 */
export class RecordedChain {
  private readonly ends: Cache<StreamName, End>;

  constructor(
    private readonly log: Pick<EventLog, 'readStream'>,
    caches: Caches = Caches.ON,
  ) {
    this.ends = caches.create(LIMITS);
  }

  /** The event's hash, computed from what is stored of it. Throws `BrokenChain` if the event has another one. */
  async hashOf(event: RecordedEvent): Promise<EventHash> {
    const { id, type, stream, revision, data } = event;
    const { hash, ...metadata } = event.metadata;
    const { hash: before } = await this.endBefore(event);
    const json = { data: JSON.stringify(data), metadata: JSON.stringify(metadata) };
    const computed = hashEvent({ id, type, json }, stream, revision, before);
    if (computed !== hash) throw new BrokenChain(event);
    this.ends.set(stream, { revision, hash: computed });
    return computed;
  }

  private async endBefore(event: RecordedEvent): Promise<End> {
    const { stream, revision } = event;
    if (revision === 0) return BEGINNING;
    const known = this.ends.get(stream);
    if (known?.revision === revision - 1) return known;
    const [before] = await this.log.readStream(stream, { from: revision - 1, limit: 1 });
    if (before?.revision !== revision - 1 || before.metadata.hash === undefined) throw new BrokenChain(event);
    return { revision: before.revision, hash: before.metadata.hash };
  }
}
