import {
  CommandRunner,
  type Duration,
  derivedId,
  MINUTE,
  type Position,
  type StoredTask,
  silentLogger,
  type TaskJob,
  type TaskJobs,
  type TaskOutcome,
  taskOf,
} from '#kernel';
import { FakeClock, InMemoryDocumentStore, InMemoryEventLog, RecordingLogger } from '#testing';
import { type DeadLetter, DeadLetters } from '../dead-letters/dead-letters.js';
import { CommandTasks, commandKinds, TASK_INDEXES } from './command-tasks.js';

import { type StandingTask, TaskQueue } from './task-queue.js';

export const START = 1_000_000;
const CAUSE = { id: 'e1', correlationId: 'req_1' };

class RecordingDeadLetters extends DeadLetters {
  readonly recorded: DeadLetter[] = [];

  override record(deadLetter: DeadLetter, ...given: [error: unknown, cause: Parameters<DeadLetters['record']>[2]]) {
    this.recorded.push(deadLetter);
    return super.record(deadLetter, ...given);
  }
}

export const dueStore = async (): Promise<InMemoryDocumentStore> => {
  const store = new InMemoryDocumentStore();
  await store.ensure([{ name: 'due', indexes: TASK_INDEXES }]);
  return store;
};

/** A queue of which nothing is set aside, and whose read models are always up to date. */
export const queueOf = (store: InMemoryDocumentStore, jobs: TaskJobs, clock: FakeClock): TaskQueue => {
  const deadLetters = new DeadLetters(new CommandRunner(new InMemoryEventLog(), clock));
  const kinds = commandKinds(new CommandTasks(store, async () => 'due'), jobs, STEPS, NO_OPTIONS, deadLetters, clock);
  return new TaskQueue(kinds, { head: async () => 0, reached: async () => 0 }, clock, silentLogger);
};

/** Tasks in one store, and the queues that handle them. */
export class Tasks {
  readonly clock = new FakeClock(START);
  readonly logger = new RecordingLogger();
  readonly deadLetters = new RecordingDeadLetters(new CommandRunner(new InMemoryEventLog(), this.clock));
  readonly running: TaskQueue[] = [];
  /** How far the read models are, as the queue sees it; by default at the head. */
  reached: Position | undefined;
  /** A queue that misses a notification polls only after this time. */
  pollInterval: Duration | undefined;
  private position = 0;

  private constructor(readonly store: InMemoryDocumentStore) {}

  static async open(): Promise<Tasks> {
    return new Tasks(await dueStore());
  }

  get recorded(): readonly DeadLetter[] {
    return this.deadLetters.recorded;
  }

  /** By default each subject is of another agency. */
  makeDue(kind: string, subject: string, dueAt = START, agency = subject): Promise<void> {
    this.position += 3;
    const workspaceId = derivedId('workspace', agency);
    const item = { ...taskOf(kind, subject, workspaceId, dueAt, CAUSE), position: this.position };
    return this.store.write([{ collection: 'due', put: [item] }]);
  }

  stored(id: string): Promise<StoredTask | undefined> {
    return this.store.get<StoredTask>('due', id);
  }

  /** Does what an event that ends the work would do. */
  readonly settling = async ({ id }: StoredTask): Promise<TaskOutcome> => {
    await this.store.write([{ collection: 'due', remove: [id] }]);
    return 'done';
  };

  queue(workers: readonly Worker[], work = this.work(), standing?: StandingTask): TaskQueue {
    const { clock, deadLetters, logger } = this;
    const jobs = Object.fromEntries(workers.map((worker) => [worker.kind, worker]));
    const kinds = commandKinds(work, jobs, STEPS, NO_OPTIONS, deadLetters, clock);
    const head = async () => this.position;
    const views = { head, reached: async () => this.reached ?? this.position };
    const queue = new TaskQueue(kinds, views, clock, logger, standing, this.pollInterval);
    this.running.push(queue);
    return queue;
  }

  work(): CommandTasks {
    return new CommandTasks(this.store, async () => 'due');
  }

  async stop(): Promise<void> {
    await Promise.all(this.running.map((runner) => runner.stop()));
  }
}

type Step = () => Promise<TaskOutcome>;

/** The bus of jobs whose commands are steps. */
const STEPS = { execute: (command: object): Promise<TaskOutcome> => (command as Step)() };

const NO_OPTIONS = (): never => {
  throw new Error('no job has options');
};

/** Handles items of one kind, and records them. */
export class Worker implements TaskJob {
  readonly done: string[] = [];
  /** How many it had in flight together. */
  most = 0;
  private busy = 0;

  constructor(
    readonly kind: string,
    private readonly work: (item: StoredTask) => Promise<TaskOutcome> | TaskOutcome,
    readonly concurrency = 16,
    readonly longestWait = 10 * MINUTE,
  ) {}

  command(item: StoredTask): Step {
    return () => this.handle(item);
  }

  private async handle(item: StoredTask): Promise<TaskOutcome> {
    this.most = Math.max(this.most, ++this.busy);
    this.done.push(item.subject);
    try {
      return await this.work(item);
    } finally {
      this.busy--;
    }
  }
}
