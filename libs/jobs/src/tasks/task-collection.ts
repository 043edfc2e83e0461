import {
  type Document,
  type DocumentStore,
  type Duration,
  type Instant,
  NEVER,
  type QueueOutcome,
  type RangeQuery,
  type StoredTask,
  withLiveCollection,
} from '#kernel';

export interface Place {
  /** Gives the place to another task. This task stays in flight until its promise settles. */
  free(): void;
  /** No task of the lane key starts for this long. */
  pauseLane(wait: Duration): void;
}

export interface TaskKind<Task extends WaitingTask = WaitingTask> {
  readonly kind: string;
  readonly tasks: TaskCollection<Task>;
  /** How many run together; a lane key that has none in flight gets a place in any case (D89). */
  readonly concurrency: number;
  concurrencyOf(lane: string): number;
  /** A task that is ready later than this waits for a time that a wrong clock has set (D93). */
  readonly longestWait: Duration;
  /** `start` gets all tasks of a lane key that start together, except that one that has failed starts alone. */
  readonly startsTogether: boolean;
  /** A promise for each task. One that rejects is a failure; after three that only the task can cause, it is given up (D67). */
  start(tasks: readonly Task[], places: readonly Place[]): readonly Promise<QueueOutcome>[];
  /** Records a dead letter, which moves the task. */
  giveUp(task: Task, error: unknown): Promise<void>;
  /** Whether it was given up before; missing if such a task is never ready. */
  isGivenUp?(task: Task): boolean;
}

/** The fields of a task that the leader changes without an event. */
export const TASK_FIELDS = ['readyAt', 'failures', 'tries', 'plannedFor'] as const;

/** A task as the queue keeps it while it is in flight. */
export interface WaitingTask extends Document {
  readonly readyAt: Instant;
  readonly failures: number;
  /** The failures among these that no store or provider has caused (D67); default 0. */
  readonly tries?: number | null;
  /** The position of the event that last moved it; missing if the indexes cover what the queue needs. */
  readonly position?: number;
}

export type TaskTimes = Partial<Pick<StoredTask, (typeof TASK_FIELDS)[number]>>;

type AlongIndex = Required<Pick<RangeQuery, 'index' | 'equals'>>;

/** How a read model keeps its tasks. */
export interface TaskLayout<Task> {
  kindOf(task: Task): string;
  laneOf(task: Task): string;
  /** An index that begins with `readyAt`. */
  readonly all: string;
  /** An index and its leading values, after which it has `readyAt`. */
  ofKind(kind: string): AlongIndex;
  /** The same, after which it has the lane key and then `readyAt`. */
  ofLanes(kind: string): AlongIndex;
  /** The indexes have everything that the queue needs of a document, so it is not read. */
  readonly areCovering: boolean;
}

/** Documents of a read model that are tasks. Events create, move and remove them; the leader moves their times. */
export class TaskCollection<Task extends WaitingTask> {
  constructor(
    private readonly store: DocumentStore,
    private readonly collection: () => Promise<string>,
    readonly layout: TaskLayout<Task>,
  ) {}

  ready(now: Instant, limit: number): Promise<Task[]> {
    return this.find({ index: this.layout.all, gte: 0, lte: now, limit });
  }

  readyOfKind(kind: string, now: Instant, limit: number): Promise<Task[]> {
    return this.find({ ...this.layout.ofKind(kind), gte: 0, lte: now, limit });
  }

  readyOfLane(kind: string, lane: string, now: Instant, limit: number): Promise<Task[]> {
    const { index, equals } = this.layout.ofLanes(kind);
    return this.find({ index, equals: [...equals, lane], gte: 0, lte: now, limit });
  }

  /** The first task, ready or not, of the next lane key after this one. */
  async firstOfNextLane(kind: string, after: string): Promise<Task | undefined> {
    const [first] = await this.find({ ...this.layout.ofLanes(kind), gt: after, limit: 1 });
    return first;
  }

  async nextReady(after: Instant): Promise<Instant> {
    const [next] = await this.find({ index: this.layout.all, gt: after, limit: 1 });
    return next?.readyAt ?? NEVER;
  }

  readyBetween(kind: string, after: Instant, until: Instant, limit: number): Promise<Task[]> {
    return this.find({ ...this.layout.ofKind(kind), gt: after, lte: until, limit });
  }

  async *firstOfLanes(kind: string): AsyncGenerator<Task> {
    for (let after = ''; ; ) {
      const first = await this.firstOfNextLane(kind, after);
      if (first === undefined) return;
      yield first;
      after = this.layout.laneOf(first);
    }
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
      this.layout.areCovering
        ? this.store.findEntries<Task>(collection, query)
        : this.store.find<Task>(collection, query),
    );
  }

  private inLive<T>(task: (collection: string) => Promise<T>): Promise<T> {
    return withLiveCollection(this.collection, task);
  }
}
