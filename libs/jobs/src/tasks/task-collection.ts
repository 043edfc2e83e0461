import {
  type Document,
  type DocumentStore,
  type IndexedValue,
  type Instant,
  type RangeQuery,
  withLiveCollection,
} from '#kernel';

/** The fields of a task that the leader changes without an event. */
export const TASK_FIELDS = ['readyAt', 'failures', 'tries', 'plannedFor'] as const;

/** A task as the queue keeps it while it is in flight. */
export interface WaitingTask extends Document {
  readonly readyAt: Instant;
  /** How often in a row it failed. */
  readonly failures: number;
  /** How many of these failures were its own, and not a store's or provider's (D67); default 0. */
  readonly tries?: number | null;
  /** The position of the event that last moved it; missing if the indexes cover what the queue needs. */
  readonly position?: number;
}

export type TaskTimes = Partial<Pick<WaitingTask, 'readyAt' | 'failures' | 'tries'>> & {
  readonly plannedFor?: Instant;
};

interface AlongIndex {
  readonly index: string;
  readonly equals: readonly IndexedValue[];
}

/** How the tasks of a collection are found. */
export interface TaskIndexes {
  /** An index that begins with `readyAt`. */
  readonly all: string;
  /** An index and its leading values, after which it has `readyAt`. */
  ofKind(kind: string): AlongIndex;
  /** The same, after which it has the lane key and then `readyAt`. */
  ofLanes(kind: string): AlongIndex;
  /** The indexes have all that the queue needs of a document, so that it is not read. */
  readonly areCovering: boolean;
}

export interface TaskFields<Task> {
  kindOf(task: Task): string;
  laneOf(task: Task): string;
}

/** Documents of a read model that are tasks. Events create, move and remove them; the leader moves their times. */
export class TaskCollection<Task extends WaitingTask> {
  constructor(
    private readonly store: DocumentStore,
    private readonly collection: () => Promise<string>,
    private readonly indexes: TaskIndexes,
    private readonly fields: TaskFields<Task>,
  ) {}

  kindOf(task: Task): string {
    return this.fields.kindOf(task);
  }

  laneOf(task: Task): string {
    return this.fields.laneOf(task);
  }

  /** What is ready, the longest first. */
  ready(now: Instant, limit: number): Promise<Task[]> {
    return this.find({ index: this.indexes.all, gte: 0, lte: now, limit });
  }

  readyOfKind(kind: string, now: Instant, limit: number): Promise<Task[]> {
    return this.find({ ...this.indexes.ofKind(kind), gte: 0, lte: now, limit });
  }

  readyOfLane(kind: string, lane: string, now: Instant, limit: number): Promise<Task[]> {
    const { index, equals } = this.indexes.ofLanes(kind);
    return this.find({ index, equals: [...equals, lane], gte: 0, lte: now, limit });
  }

  /** The first task, ready or not, of the next lane key after this one. */
  async firstOfNextLane(kind: string, after: string): Promise<Task | undefined> {
    const [first] = await this.find({ ...this.indexes.ofLanes(kind), gt: after, limit: 1 });
    return first;
  }

  /** When the first task that is ready later than `after` is ready. */
  async nextReady(after: Instant): Promise<Instant | undefined> {
    const [next] = await this.find({ index: this.indexes.all, gt: after, limit: 1 });
    return next?.readyAt;
  }

  readyBetween(kind: string, after: Instant, until: Instant, limit: number): Promise<Task[]> {
    return this.find({ ...this.indexes.ofKind(kind), gt: after, lte: until, limit });
  }

  /** The first task of each lane key, ready or not. */
  async *firstOfLanes(kind: string): AsyncGenerator<Task> {
    for (let after = ''; ; ) {
      const first = await this.firstOfNextLane(kind, after);
      if (first === undefined) return;
      yield first;
      after = this.laneOf(first);
    }
  }

  /** How many tasks of the kind are ready, counted up to `limit`. */
  async countReady(kind: string, now: Instant, limit: number): Promise<number> {
    return (await this.readyOfKind(kind, now, limit)).length;
  }

  /** False if an event has moved the task since it was read. The leader gives its fence, a request none. */
  move({ id, readyAt }: Pick<Task, 'id' | 'readyAt'>, times: TaskTimes, fence?: number): Promise<boolean> {
    return this.inLive(async (collection) => {
      const task = await this.store.get<Task & { readonly position: number }>(collection, id);
      if (task === undefined || task.readyAt !== readyAt) return false;
      return this.store.compareAndSet(collection, { ...task, ...times }, { position: task.position, readyAt }, fence);
    });
  }

  /** Makes a waiting task ready, unless it waits after a failure. */
  async runNow(id: string, now: Instant): Promise<void> {
    const task = await this.inLive((collection) => this.store.get<Task>(collection, id));
    if (task !== undefined && task.failures === 0 && task.readyAt > now) await this.move(task, { readyAt: now });
  }

  private find(query: RangeQuery): Promise<Task[]> {
    return this.inLive((collection) =>
      this.indexes.areCovering
        ? this.store.findEntries<Task>(collection, query)
        : this.store.find<Task>(collection, query),
    );
  }

  private inLive<T>(task: (collection: string) => Promise<T>): Promise<T> {
    return withLiveCollection(this.collection, task);
  }
}
