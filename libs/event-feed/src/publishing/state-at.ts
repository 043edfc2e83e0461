import {
  type Cache,
  type Caches,
  type Decider,
  type DomainEvent,
  type EventLog,
  emptyState,
  foldEvent,
  type LoadedState,
  memorySizeOf,
  partBySize,
  type RecordedEvent,
  streamId,
} from '#kernel';

/** Events of one read: the largest ones together take some tens of megabytes. */
const PAGE_SIZE = 100;
/** Of each decider. */
const CACHE_BYTES = { usual: 4 * 1024 * 1024, large: 2 * 1024 * 1024 };

export interface Step<State> {
  readonly before: LoadedState<State>;
  readonly after: LoadedState<State>;
}

/** A stream's state just before and just after one of its events. Later events do not change it. */
export class StateAt<State, Event extends DomainEvent> {
  private readonly folds: Cache<string, LoadedState<State>>;
  private clearings = 0;

  constructor(
    private readonly log: EventLog,
    private readonly decider: Decider<State, Event>,
    caches: Caches,
  ) {
    this.folds = caches.createInParts({
      bytes: CACHE_BYTES,
      partOf: (_, size) => partBySize(size),
      sizeOf: ({ state }) => memorySizeOf(state),
    });
  }

  forget(): void {
    this.clearings++;
    this.folds.clear();
  }

  async step(event: RecordedEvent<Event>): Promise<Step<State>> {
    const { clearings } = this;
    const before = await this.before(event);
    const after = foldEvent(this.decider, before, event);
    // D72: what was read before an erasure may hold what was erased.
    if (clearings === this.clearings) this.folds.set(event.stream, after);
    return { before, after };
  }

  private async before({ stream, revision }: RecordedEvent<Event>): Promise<LoadedState<State>> {
    const known = this.folds.get(stream);
    let folded = known !== undefined && known.revision < revision ? known : emptyState(this.decider, streamId(stream));
    while (folded.revision < revision - 1) {
      const limit = Math.min(PAGE_SIZE, revision - 1 - folded.revision);
      const page = await this.log.readStream(stream, { from: folded.revision + 1, limit });
      if (page.length === 0) throw new Error(`${stream} ends before revision ${revision}`);
      folded = (page as RecordedEvent<Event>[]).reduce((state, event) => foldEvent(this.decider, state, event), folded);
    }
    return folded;
  }
}
