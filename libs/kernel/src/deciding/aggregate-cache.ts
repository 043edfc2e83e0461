import { AsyncLocalStorage } from 'node:async_hooks';
import { NO_EVENTS, type Position, type Revision, type StreamName } from '../events/event.js';
import type { Clock, Duration } from '../instant.js';
import { type Cache, Caches, partBySize } from '../memory/caches.js';
import { memorySizeOf } from '../memory/memory-size.js';
import type { EventLog, LogTail } from '../stores/event-log.js';
import type { LoadedState } from './decider.js';

const CACHE_BYTES = { usual: 12 * 1024 * 1024, large: 6 * 1024 * 1024, neededOften: 24 * 1024 * 1024 };

const OUTDATED = -1;
/** A request that has taken longer, perhaps with a call of the platform, asks again. */
const ANSWER_SERVES_FOR: Duration = 100;

interface Asked {
  isPassed?: Promise<boolean> | undefined;
  at: Duration;
  readonly loaded: Set<StreamName>;
}

const requests = new AsyncLocalStorage<Asked>();

/**
 * Runs the parts of one request, which asks the log once where it ends. It asks again for a state that it has loaded before,
 * which must not be older than something else (ADR 0014).
 */
export const askingOnce = (): (<T>(part: () => T) => T) => {
  const asked: Asked = { at: 0, loaded: new Set() };
  return (part) => requests.run(asked, part);
};

/** From now on the request loads no state that is older than this moment. */
export const askAgain = (): void => {
  const asked = requests.getStore();
  if (asked !== undefined) asked.isPassed = undefined;
};

interface Fold {
  readonly loaded: LoadedState<unknown>;
  readonly isNeededOften: boolean;
  /** The entry is up to date while this is the generation of the cache. */
  generation: number;
}

/** Reads and appends of one stream that are under way, and how far it was seen to grow since the first began. */
interface UnderWay {
  readonly generation: number;
  count: number;
  grownTo: Revision;
}

/**
 * The cache of folded states. The embedded log is asked in each callback of the event loop which streams have grown, in any
 * process. Of a log on a server the tail shows it, and a request asks where the log ends: when the tail has passed that, the
 * states of the other streams are up to date. A log that can do neither is read each time.
 */
export class AggregateCache {
  private readonly folds: Cache<StreamName, Fold>;
  private readonly underWay = new Map<StreamName, UnderWay>();
  /** Changes when nothing that was read before is known to be up to date, or may be cached. */
  private generation = 0;
  private isChecked = false;
  private through: Position = 0;

  constructor(
    private readonly log: EventLog,
    private readonly clock: Pick<Clock, 'elapsed'>,
    caches: Caches = Caches.ON,
    /** The limit of the whole cache, which then has no parts. */
    bytes?: number,
  ) {
    const sizeOf = ({ loaded }: Fold) => memorySizeOf(loaded.state);
    const partOf = ({ isNeededOften }: Fold, size: number) => (isNeededOften ? 'neededOften' : partBySize(size));
    this.folds =
      bytes === undefined
        ? caches.createInParts({ bytes: CACHE_BYTES, partOf, sizeOf })
        : caches.createInParts({ bytes: { all: bytes }, partOf: () => 'all', sizeOf });
    // A missed event may have been an erasure.
    log.tail?.watch((event) => (event === undefined ? this.clear() : this.grown(event.stream, event.revision)));
  }

  get(stream: StreamName): LoadedState<unknown> | undefined {
    return this.folds.get(stream)?.loaded;
  }

  /** Whether it includes all that was committed before this callback of the event loop; with a tail, before the question. */
  isCurrent(stream: StreamName): boolean | Promise<boolean> {
    const { tail } = this.log;
    if (tail === undefined) return this.check() && this.isUnmarked(stream);
    if (!this.isUnmarked(stream)) return false;
    return this.passesEnd(tail, stream).then((isPassed) => isPassed && this.isUnmarked(stream));
  }

  /** Runs a read or an append, and keeps the state that it returns, unless the cache has been cleared since. */
  async keep<Loaded extends LoadedState<unknown>>(
    stream: StreamName,
    isNeededOften: boolean,
    work: () => Promise<Loaded>,
  ): Promise<Loaded> {
    const { generation } = this;
    const underWay = this.underWay.get(stream) ?? { generation, count: 0, grownTo: NO_EVENTS };
    underWay.count++;
    this.underWay.set(stream, underWay);
    requests.getStore()?.loaded.add(stream);
    try {
      const loaded = await work();
      if (generation !== this.generation) return loaded;
      const isOutdated = underWay.generation !== generation || underWay.grownTo > loaded.revision;
      // A stream without events is not cached, because anybody may ask for any id.
      const known = this.folds.peek(stream);
      if (loaded.revision > (known?.loaded.revision ?? NO_EVENTS))
        this.folds.set(stream, { loaded, isNeededOften, generation: isOutdated ? OUTDATED : generation });
      else if (loaded.revision === known?.loaded.revision && !isOutdated) known.generation = generation;
      return loaded;
    } finally {
      underWay.count--;
      if (underWay.count === 0) this.underWay.delete(stream);
    }
  }

  clear(): void {
    this.generation++;
    this.folds.clear();
  }

  private isUnmarked(stream: StreamName): boolean {
    return this.folds.peek(stream)?.generation === this.generation;
  }

  private passesEnd(tail: LogTail, stream: StreamName): Promise<boolean> {
    const asked = requests.getStore();
    if (asked === undefined) return tail.passesEnd();
    const now = this.clock.elapsed();
    if (asked.loaded.has(stream) || now - asked.at > ANSWER_SERVES_FOR) asked.isPassed = undefined;
    if (asked.isPassed === undefined) {
      asked.isPassed = tail.passesEnd();
      asked.at = now;
    }
    asked.loaded.add(stream);
    return asked.isPassed;
  }

  private grown(stream: string, revision: Revision): void {
    // A stream of another application is not in the cache.
    const name = stream as StreamName;
    const fold = this.folds.peek(name);
    if (fold !== undefined && fold.loaded.revision < revision) fold.generation = OUTDATED;
    const underWay = this.underWay.get(name);
    if (underWay !== undefined && underWay.grownTo < revision) underWay.grownTo = revision;
  }

  /** False if the log cannot tell what has changed. */
  private check(): boolean {
    if (this.isChecked) return true;
    const changes = this.log.changesSince?.(this.through);
    if (changes === undefined) return false;
    this.through = changes.head;
    if (changes.ends === undefined) this.generation++;
    for (const [stream, revision] of changes.ends ?? []) this.grown(stream, revision);
    this.isChecked = true;
    // After the promises of this callback, and before the next callback: its message may have been sent after a later commit.
    process.nextTick(() => {
      this.isChecked = false;
    });
    return true;
  }
}
