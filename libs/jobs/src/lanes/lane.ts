import { setTimeout as delay } from 'node:timers/promises';
import {
  type Checkpoint,
  type CheckpointEvent,
  type CollectionWrite,
  type DocumentStore,
  type Duration,
  type EventLog,
  Fenced,
  type LanePositions,
  type Logger,
  type LogPage,
  NotLeading,
  type Position,
  retryUntilDone,
  SECOND,
  StoreUnavailable,
  UnknownCollection,
} from '#kernel';
import type { DeadLetters } from '../dead-letters/dead-letters.js';
import { CheckpointEvents, Checkpoints } from './checkpoints.js';
import type { LaneDefinition } from './log-consumer.js';
import { PageHandling } from './page-handling.js';

/** How often a lane that no answer waits for stores its checkpoint while it has no events. */
const IDLE_INTERVAL: Duration = SECOND;

/** How often a lane lets its consumers do the work that comes between two pages. */
const LOOK_INTERVAL: Duration = 500;

type Floors = CheckpointEvent['floors'];

/** Runs its consumers from its checkpoint while the process leads. Restarts them after a failure of the infrastructure. */
export class Lane {
  private readonly stopping = new AbortController();
  private running: Promise<void> | undefined;
  /** How far consumers without documents to write have come: after a failure they are not called again for that. */
  private readonly handledTo = new Map<string, Position>();

  constructor(
    private readonly definition: LaneDefinition,
    /** The leader's fence: a former leader writes nothing more once the lane has started. */
    private readonly fence: number,
    private readonly log: EventLog,
    private readonly store: DocumentStore,
    private readonly progress: LanePositions,
    private readonly deadLetters: DeadLetters,
    private readonly logger: Logger,
    private readonly checkpoints = new Checkpoints(store, log, logger),
  ) {}

  start(): void {
    const { signal } = this.stopping;
    const attempts = { what: this.definition.name, signal, logger: this.logger };
    const report = (error: unknown) => this.logFailure(error);
    this.running ??= retryUntilDone((onProgress) => this.follow(onProgress), { ...attempts, report });
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async follow(onProgress: () => void): Promise<void> {
    const { log, store, progress, fence, definition } = this;
    const [{ name, consumers, behind }, { signal }] = [definition, this.stopping];
    const { checkpoint, hasBegunAgain } = await this.checkpoints.take(definition, fence);
    if (hasBegunAgain) this.handledTo.clear();
    for (const consumer of consumers) await consumer.prepare?.(signal, checkpoint);
    const kept = consumers.flatMap(({ readModels = {} }) => Object.entries(readModels));
    const events = new CheckpointEvents(checkpoint.event, kept.length > 0 ? Object.fromEntries(kept) : undefined);
    let last: Checkpoint = { ...checkpoint, event: events.upTo(checkpoint.position) };
    let isIdle = false;
    let unstored: Position | undefined;
    let restsUntil = Number.NEGATIVE_INFINITY;
    const stored = async (writes: readonly CollectionWrite[], position: Position) => {
      unstored = undefined;
      if (isIdle) restsUntil = performance.now() + IDLE_INTERVAL;
      const event = events.upTo(position);
      // Without one of our events, as on a server that has only others, nothing would show which log it belongs to.
      const reached = event === undefined ? checkpoint.position : position;
      last = { name, position: reached, fence, event };
      await store.write(writes, last);
    };
    const isResting = () => performance.now() < restsUntil;
    const write = async (writes: readonly CollectionWrite[], position: Position) => {
      if (isIdle && isResting()) unstored = position;
      else await stored(writes, position);
      progress.report(name, position);
    };
    const isAlone = consumers.length === 1;
    const handlings = consumers.map((consumer) => {
      const writing = isAlone ? write : refuseWrites;
      return new PageHandling(consumer, log, this.deadLetters, this.logger, writing, signal);
    });
    const types = new Set(handlings.flatMap((each) => [...each.types]));
    const ended = new AbortController();
    try {
      for (const consumer of consumers) await consumer.takeOver?.();
      progress.report(name, checkpoint.position);
      const following = { after: checkpoint.position, types, signal: AbortSignal.any([signal, ended.signal]) };
      for await (const page of withPauses(log.follow(following), LOOK_INTERVAL)) {
        if (page === PAUSE) {
          if (unstored !== undefined && !isResting()) await stored([], unstored);
          for (const consumer of consumers) await consumer.betweenPages?.(last);
          continue;
        }
        if (behind !== undefined) await progress.waitForOwn(behind, page.reached, signal);
        events.next(page);
        isIdle = definition.isAwaited === false && page.events.length === 0;
        await this.handle(handlings, page, checkpoint.event?.floors);
        if (!isAlone) await write([], page.reached);
        onProgress();
      }
      if (!signal.aborted) throw new StoreUnavailable('the event log has been closed');
    } finally {
      ended.abort();
      progress.forget(name);
      for (const consumer of consumers) consumer.forget?.();
    }
  }

  /** All consumers handle the page concurrently. One that fails does not stop the others from finishing theirs. */
  private async handle(handlings: readonly PageHandling[], page: LogPage, floors: Floors = {}): Promise<void> {
    const isAlone = handlings.length === 1;
    const outcomes = await Promise.allSettled(
      handlings.map(async (handling) => {
        const { types, consumer } = handling;
        const floor = Math.max(floors[consumer.name] ?? 0, this.handledTo.get(consumer.name) ?? 0);
        const events = page.events.filter(({ type, position }) => types.has(type) && position > floor);
        if (isAlone || events.length > 0) await handling.handle({ ...page, events });
        if (!isAlone) this.handledTo.set(consumer.name, page.reached);
      }),
    );
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  }

  private logFailure(error: unknown): void {
    // Another process leads, so the collections may have been replaced and dropped. This is no failure.
    if (error instanceof Fenced || error instanceof NotLeading) return;
    const fields = { err: error, runner: this.definition.name };
    if (error instanceof UnknownCollection)
      this.logger.warn(fields, 'a collection of a read model was dropped; the runner restarts');
    else this.logger.error(fields, 'the runner failed; it restarts');
  }
}

/** Consumers that share a lane handle commands: a document of one could be older than the checkpoint of all. */
const refuseWrites = async (writes: readonly CollectionWrite[]): Promise<void> => {
  if (writes.length > 0) throw new Error('a consumer that shares its lane has returned documents');
};

const PAUSE = Symbol('between two pages');

/** The pages, with a pause between two of them at the start and in each interval, however many pages arrive. */
async function* withPauses<T>(pages: AsyncIterable<T>, interval: Duration): AsyncGenerator<T | typeof PAUSE> {
  const iterator = pages[Symbol.asyncIterator]();
  let pause = Promise.withResolvers<typeof PAUSE>();
  pause.resolve(PAUSE);
  const timer = setInterval(() => pause.resolve(PAUSE), interval);
  let next = iterator.next();
  try {
    for (;;) {
      const arrived = await Promise.race([pause.promise, next]);
      if (arrived === PAUSE) {
        pause = Promise.withResolvers();
        yield PAUSE;
        continue;
      }
      if (arrived.done) return;
      yield arrived.value;
      next = iterator.next();
    }
  } finally {
    clearInterval(timer);
    next.catch(() => undefined);
  }
}

const OLDER_LEASE_TERM: Duration = 6 * SECOND;
const OLDER_LEASE_INTERVAL: Duration = 250;

/** The lease by which an older build ran a consumer. */
const runnerLease = (consumer: string): string => `runner:${consumer}`;

/** Waits until no older build runs one of the consumers, and releases what it held. */
export const awaitOlderBuilds = async (
  consumers: readonly string[],
  store: Pick<DocumentStore, 'lease'>,
  leases: { acquire(name: string, ttl: Duration): Promise<unknown>; release(name: string): Promise<void> },
  signal: AbortSignal,
): Promise<void> => {
  // Concurrently, because each may take six seconds to end.
  await Promise.all(
    consumers.map(runnerLease).map(async (name) => {
      while ((await store.lease(name)) !== undefined) {
        signal.throwIfAborted();
        if ((await leases.acquire(name, OLDER_LEASE_TERM)) !== undefined) await leases.release(name);
        else await delay(OLDER_LEASE_INTERVAL, undefined, { signal });
      }
    }),
  );
};
