import { LRUCache } from 'lru-cache';
import { type Instant, NO_EVENTS, type Position, type Revision, type StoredEvent, type StoredLog } from '#kernel';
import { type EventHash, hashEvent, hasLineBreak, NO_HASH, splitHash } from '../event-hash.js';
import type { Fault } from './fault.js';

type Finding = Pick<Fault, 'kind' | 'message'>;

/** The last event of a stream that was read. */
interface End {
  readonly revision: Revision;
  readonly hash: EventHash;
  readonly at: Instant;
}

const CACHE_SIZE = 20_000;
const NOTHING: End = { revision: NO_EVENTS, hash: NO_HASH, at: Number.NEGATIVE_INFINITY };

/** Whether each event is where its hash says, after the previous one in its stream. */
export class ChainCheck {
  /** Most events follow the previous one of their stream closely. If the cache has dropped it, it is read again. */
  private readonly ends = new LRUCache<string, End>({ max: CACHE_SIZE });

  constructor(private readonly log: StoredLog) {}

  /** The hash in the event, or none, and its fault. */
  async check(event: StoredEvent): Promise<{ readonly hash: EventHash; readonly finding: Finding | undefined }> {
    const { stream, revision } = event;
    const end = this.ends.get(stream);
    const split = splitHash(event.json.metadata);
    const hash = split?.hash ?? NO_HASH;
    if (end !== undefined && end.revision >= revision) return { hash, finding: reordered(end.revision) };
    const at = timeOf(event);
    const link = end?.revision === revision - 1 ? end : await this.linkBefore(event);
    this.ends.set(stream, { revision, hash, at: at ?? NOTHING.at });
    if (split === undefined) return { hash, finding: changed('its metadata has no hash') };
    if (at === undefined) return { hash, finding: changed('it has no time') };
    if (link === 'missing') return { hash, finding: missing((end?.revision ?? revision - 2) + 1, revision - 1) };
    if (link === 'damaged') return { hash, finding: undefined };
    if ([stream, event.id, event.type].some(hasLineBreak)) return { hash, finding: changed('a name has a line break') };
    const json = { data: event.json.data, metadata: split.metadata };
    if (hashEvent({ id: event.id, type: event.type, json }, stream, revision, link.hash) !== hash) {
      return {
        hash,
        finding: changed('its hash does not cover what is stored, or not the event before in its stream'),
      };
    }
    if (at < link.at) return { hash, finding: changed('its time is before that of the event before in its stream') };
    return { hash, finding: undefined };
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
