import {
  Caches,
  type EventLog,
  type EventToAppend,
  type Instant,
  KeyedMutex,
  NO_EVENTS,
  newEventId,
  type Position,
  type RecordedEvent,
  type Revision,
  type StreamName,
  WrongExpectedRevision,
  WrongMasterKey,
} from '#kernel';
import { asStored, BrokenChain, ChainReader, storedForm } from './chain-reader.js';
import { originOf, signedCheckpoint } from './checkpoint.js';
import type { EventHash } from './event-hash.js';
import { endOfSeals, KEY_CHANGED, type KeyChanged, keyChanged } from './key-change.js';
import type { LastSeals } from './last-seals.js';
import { Frontier } from './merkle.js';
import {
  printOf,
  SEAL_AFTER,
  SEAL_EVENTS,
  SEALED,
  SEALS,
  type Sealed,
  type SealKey,
  type SealKeys,
  sealed,
} from './seal.js';

export const SEALING = 'sealing';

interface Unsealed {
  /** The end of the stream of seals, and the id of its last seal. */
  readonly last: { readonly revision: Revision; readonly id: string | null; readonly at: Instant };
  readonly key: SealKey;
  readonly frontier: Frontier;
  /** One for each event that the next seal covers and the last one does not. */
  readonly prints: string[];
  through: RecordedEvent | undefined;
  reached: Position;
  /** Since when an event has been waiting for a seal; seals themselves do not wait. */
  since: Instant | undefined;
}

/**
 * Seals the log: every 10,000 events, and before any event has waited for an hour. Sealing continues from the last seal
 * alone. Hashes are recomputed from the stored events, so that an event that was changed after its append is not sealed:
 * sealing fails, and a log message names the event. Concurrent sealing is harmless: each seal names the one before.
 */
export class Sealing {
  private unsealed: Unsealed | undefined;
  private readonly chain: ChainReader;
  private readonly keys: SealKeys;
  private readonly queue = new KeyedMutex();

  /**
   * `log` must show events as they are stored, like the result of `withHashChain`. `every`: the most events of a seal.
   */
  constructor(
    private readonly log: EventLog,
    keys: SealKey | SealKeys,
    private readonly every = SEAL_EVENTS,
    caches: Caches = Caches.ON,
    /** Without it, nothing is remembered outside the log. */
    private readonly lastSeals?: LastSeals,
    /** The log's name in its checkpoints; by default it is derived from the first event. */
    private readonly origin?: string,
  ) {
    this.chain = new ChainReader(asStored(log), caches);
    this.keys = 'all' in keys ? keys : { current: keys, all: [keys] };
  }

  head(): Promise<Position> {
    return this.log.head();
  }

  /** Whether nothing can be due: the log has been read up to `head`, and no event waits. */
  isIdleAt(head: Position): boolean {
    const { unsealed } = this;
    return unsealed !== undefined && unsealed.since === undefined && head === unsealed.reached;
  }

  /** Makes the seals that are due, and returns how many. `head` if the caller has just asked where the log ends. */
  runDue(now: Instant, head?: Position): Promise<number> {
    return this.seal(now, ({ since }) => since !== undefined && now - since >= SEAL_AFTER, head);
  }

  sealAll(now: Instant): Promise<number> {
    return this.seal(now, ({ since }) => since !== undefined);
  }

  key(): Promise<SealKey> {
    return this.queue.run(SEALS, async () => (await this.current()).key);
  }

  /**
   * D85: records that the first of its keys signs from here on, signed by it and by the previous one: the key that the
   * log names, or `replaced` if nothing has been sealed. It may be repeated.
   */
  async changeKey(replaced: SealKey, now: Instant): Promise<void> {
    const [key] = this.keys.all;
    if (key === undefined) return;
    for (;;) {
      const { end, lastSeal, keyId } = await endOfSeals(this.log);
      const before = this.inForce(keyId) ?? replaced;
      if (before.publicKey.id === key.publicKey.id) return this.lastSeals?.signWith(key);
      const at = Math.max(now, end?.metadata.at ?? 0);
      try {
        const change = keyChanged(before, key, { previous: lastSeal?.id ?? null, at });
        await this.record(change, end?.revision ?? NO_EVENTS, at, null);
      } catch (error) {
        if (!(error instanceof WrongExpectedRevision)) throw error;
      }
    }
  }

  /** The state in memory is valid only while no other process makes seals. */
  forget(): void {
    this.unsealed = undefined;
  }

  /** One at a time: all callers in this process continue from the same end. */
  private seal(now: Instant, isDue: (unsealed: Unsealed) => boolean, knownHead?: Position): Promise<number> {
    return this.queue.run(SEALS, () => this.sealUpTo(now, isDue, knownHead));
  }

  private async sealUpTo(
    now: Instant,
    isDue: (unsealed: Unsealed) => boolean,
    knownHead: Position | undefined,
  ): Promise<number> {
    try {
      const unsealed = await this.current();
      const head = knownHead ?? (await this.head());
      let seals = 0;
      while (unsealed.reached < head) {
        const page = await this.log.readLog({ after: unsealed.reached });
        for (const event of page.events) {
          take(unsealed, event, await this.hashOf(event), now);
          if (unsealed.prints.length < this.every || unsealed.since === undefined) continue;
          await this.append(unsealed, now);
          seals++;
        }
        unsealed.reached = page.reached;
      }
      if (!isDue(unsealed)) return seals;
      await this.append(unsealed, now);
      return seals + 1;
    } catch (error) {
      // Only half of the page may have been processed, or another process has made a seal.
      this.unsealed = undefined;
      if (error instanceof WrongExpectedRevision) return 0;
      throw error;
    }
  }

  /** The known end, unless another process has made seals. */
  private async current(): Promise<Unsealed> {
    const known = this.unsealed;
    const isCurrent =
      known !== undefined &&
      (await this.log.readStream(SEALS, { from: known.last.revision + 1, limit: 1 })).length === 0;
    this.unsealed = isCurrent ? known : await this.afterLastSeal();
    return this.unsealed;
  }

  private async hashOf(event: RecordedEvent): Promise<EventHash> {
    const { hash, isCovered } = await this.chain.read(storedForm(event), event.metadata.at);
    if (!isCovered) throw new BrokenChain(event);
    return hash;
  }

  private async afterLastSeal(): Promise<Unsealed> {
    this.chain.startAgain();
    await this.lastSeals?.check();
    const { end, lastSeal, keyId } = await endOfSeals(this.log);
    const last = { revision: end?.revision ?? NO_EVENTS, id: lastSeal?.id ?? null, at: end?.metadata.at ?? 0 };
    const key = this.inForce(keyId) ?? this.keys.current;
    const nothing = { last, key, prints: [], through: undefined, since: undefined };
    if (lastSeal === undefined) return { ...nothing, frontier: new Frontier(), reached: 0 };
    const { statement, checkpoint } = lastSeal.data;
    const { count, through, frontier: peaks } = statement;
    const frontier = Frontier.of(count, peaks);
    if (frontier === undefined) throw new Error(`the seal ${lastSeal.id} holds no frontier of ${count} events`);
    const [event] = await this.log.readStream(through.stream as StreamName, { from: through.revision, limit: 1 });
    if (event?.id !== through.id) throw new Error(`the log has lost ${through.id}, which is sealed by ${lastSeal.id}`);
    // Another process may have made this seal and died before it was remembered.
    await this.lastSeals?.remember(lastSeal, key);
    // A log that was sealed by an older build gets its first checkpoint without waiting for an event.
    const since = checkpoint === undefined ? lastSeal.metadata.at : undefined;
    return { ...nothing, since, frontier, reached: event.position };
  }

  /**
   * The key with the id, which signs from the last seal on; undefined if nothing has been sealed. D71: nothing is
   * appended with a foreign key, because a later start with the log's own key would not accept it.
   */
  private inForce(keyId: string | undefined): SealKey | undefined {
    if (keyId === undefined) return undefined;
    const key = this.keys.all.find(({ publicKey }) => publicKey.id === keyId);
    if (key === undefined) throw new WrongMasterKey(`MASTER_KEY is not the key ${keyId} that seals this log`);
    return key;
  }

  private async append(unsealed: Unsealed, now: Instant): Promise<void> {
    const { last, frontier, prints, through, key } = unsealed;
    const origin = await originOf(this.log, this.origin);
    if (through === undefined || origin === undefined) return;
    // While this process runs, somebody may have replaced its seals.
    await this.lastSeals?.check();
    const { id, stream, revision } = through;
    const at = Math.max(now, last.at);
    const bare = sealed(frontier, prints, { through: { id, stream, revision }, previous: last.id, at }, key);
    const checkpoint = signedCheckpoint(origin, bare.data.statement, key);
    const seal: Sealed = { ...bare, data: { ...bare.data, checkpoint } };
    const appended = await this.record(seal, last.revision, at, id);
    await this.lastSeals?.remember({ id: appended.id, data: seal.data }, key);
    Object.assign(unsealed, {
      last: { revision: appended.revision, id: appended.id, at },
      prints: [],
      through: undefined,
      since: undefined,
    } satisfies Partial<Unsealed>);
  }

  private async record(
    { type, data }: Sealed | KeyChanged,
    last: Revision,
    at: Instant,
    cause: string | null,
  ): Promise<{ readonly id: string; readonly revision: Revision }> {
    const id = newEventId();
    const actor = `process:${SEALING}`;
    const metadata = { at, correlationId: cause ?? id, causationId: cause, actor, workspaceId: null };
    const event: EventToAppend<Sealed | KeyChanged> = { id, type, data, metadata };
    const { revision } = await this.log.append(SEALS, last === NO_EVENTS ? 'none' : last, [event]);
    return { id, revision };
  }
}

const take = (unsealed: Unsealed, event: RecordedEvent, hash: EventHash, now: Instant): void => {
  unsealed.frontier.add(hash);
  unsealed.prints.push(printOf(hash));
  unsealed.through = event;
  if (event.type !== SEALED && event.type !== KEY_CHANGED) unsealed.since ??= Math.min(now, event.metadata.at);
};
