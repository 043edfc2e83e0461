import type { Position, StreamName } from '../events/event.js';
import { type Cache, partBySize } from '../memory/cache.js';
import { Caches } from '../memory/caches.js';
import { memorySizeOf } from '../memory/memory-size.js';
import type { EventLog } from '../stores/event-log.js';
import type { LoadedState } from './loaded-state.js';

const CACHE_BYTES = { usual: 12 * 1024 * 1024, large: 6 * 1024 * 1024, neededOften: 24 * 1024 * 1024 };

/** The generation of no cache. */
const OUTDATED = -1;

interface Fold {
  readonly loaded: LoadedState<unknown>;
  readonly isNeededOften: boolean;
  /** The entry is up to date while this is the generation of the cache. */
  generation: number;
}

/**
 * The cache of folded states. One check of the log in each callback of the event loop says which streams have grown, in any
 * process; the states of the others are up to date. A log that cannot say so is read each time.
 */
export class FoldedStates {
  private readonly folds: Cache<StreamName, Fold>;
  private generation = 0;
  private isChecked = false;
  /** The end of the log at the last check. */
  through: Position = 0;
  /** How often the cache was cleared: what was read before that may hold erased data. */
  clearings = 0;

  constructor(
    private readonly log: EventLog,
    caches: Caches = Caches.ON,
    /** The bound of the whole cache, which then has no parts. */
    bytes?: number,
  ) {
    const sizeOf = ({ loaded }: Fold) => memorySizeOf(loaded.state);
    const partOf = ({ isNeededOften }: Fold, size: number) => (isNeededOften ? 'neededOften' : partBySize(size));
    this.folds =
      bytes === undefined
        ? caches.createInParts({ bytes: CACHE_BYTES, partOf, sizeOf })
        : caches.createInParts({ bytes: { all: bytes }, partOf: () => 'all', sizeOf });
  }

  get(stream: StreamName): LoadedState<unknown> | undefined {
    return this.folds.get(stream)?.loaded;
  }

  /** Whether the state includes all that was committed before this callback of the event loop began. */
  isCurrent(stream: StreamName): boolean {
    return this.check() && this.folds.peek(stream)?.generation === this.generation;
  }

  /** Keeps what was read after the check at `through`. */
  setLoaded(stream: StreamName, loaded: LoadedState<unknown>, through: Position, isNeededOften = false): void {
    this.set(stream, loaded, isNeededOften, through === this.through);
  }

  /** Nothing followed the state in a read after the check at `through`. What was cleared during the read is not cached again. */
  confirm(stream: StreamName, loaded: LoadedState<unknown>, through: Position): void {
    const known = this.folds.peek(stream);
    if (known?.loaded === loaded && through === this.through) known.generation = this.generation;
  }

  setAppended(stream: StreamName, loaded: LoadedState<unknown>, isNeededOften = false): void {
    this.set(stream, loaded, isNeededOften, this.through < loaded.position);
  }

  clear(): void {
    this.clearings++;
    this.folds.clear();
  }

  /** A later check reports what follows the state, unless an earlier one may have done so already. */
  private set(
    stream: StreamName,
    loaded: LoadedState<unknown>,
    isNeededOften: boolean,
    isReportedLater: boolean,
  ): void {
    this.folds.set(stream, { loaded, isNeededOften, generation: isReportedLater ? this.generation : OUTDATED });
  }

  /** False if the log cannot say what has changed. */
  private check(): boolean {
    if (this.isChecked) return true;
    const changes = this.log.changesSince?.(this.through);
    if (changes === undefined) return false;
    this.through = changes.head;
    if (changes.ends === undefined) this.generation++;
    for (const [stream, revision] of changes.ends ?? []) {
      const fold = this.folds.peek(stream);
      if (fold !== undefined && fold.loaded.revision < revision) fold.generation = OUTDATED;
    }
    this.isChecked = true;
    // After the promises of this callback, and before the next callback: its message may have been sent after a later commit.
    process.nextTick(() => {
      this.isChecked = false;
    });
    return true;
  }
}
