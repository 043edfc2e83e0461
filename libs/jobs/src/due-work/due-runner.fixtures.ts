import {
  CommandRunner,
  type DueHandler,
  type DueOutcome,
  derivedId,
  dueItem,
  MINUTE,
  type StoredDueItem,
} from '#kernel';
import { FakeClock, InMemoryDocumentStore, InMemoryEventLog, RecordingLogger } from '#testing';
import type { Aside } from '../set-asides/set-aside.js';
import { SetAsides } from '../set-asides/set-asides.js';
import { DueRunner } from './due-runner.js';
import { DUE_WORK_INDEXES, DueWork } from './due-work.js';

export const START = 1_000_000;
const CAUSE = { id: 'e1', correlationId: 'req_1' };

class RecordingAsides extends SetAsides {
  readonly recorded: Aside[] = [];

  override record(aside: Aside, ...given: [error: unknown, cause: Parameters<SetAsides['record']>[2]]) {
    this.recorded.push(aside);
    return super.record(aside, ...given);
  }
}

/** Due items in one store, and the processes that handle them. */
export class DueItems {
  readonly clock = new FakeClock(START);
  readonly logger = new RecordingLogger();
  readonly setAsides = new RecordingAsides(new CommandRunner(new InMemoryEventLog(), this.clock));
  readonly running: DueRunner[] = [];
  private position = 0;

  private constructor(readonly store: InMemoryDocumentStore) {}

  static async open(): Promise<DueItems> {
    const store = new InMemoryDocumentStore();
    await store.ensure([{ name: 'due', indexes: DUE_WORK_INDEXES }]);
    return new DueItems(store);
  }

  /** What was set aside. */
  get recorded(): readonly Aside[] {
    return this.setAsides.recorded;
  }

  /** By default each subject is of another agency. */
  makeDue(kind: string, subject: string, dueAt = START, agency = subject): Promise<void> {
    this.position += 3;
    const workspaceId = derivedId('workspace', agency);
    const item = { ...dueItem(kind, subject, workspaceId, dueAt, CAUSE), position: this.position };
    return this.store.write([{ collection: 'due', put: [item] }]);
  }

  stored(id: string): Promise<StoredDueItem | undefined> {
    return this.store.get<StoredDueItem>('due', id);
  }

  /** Does what an event that ends the work would do. */
  readonly settling = async ({ id }: StoredDueItem): Promise<DueOutcome> => {
    await this.store.write([{ collection: 'due', remove: [id] }]);
    return 'done';
  };

  process(handlers: readonly DueHandler[], host = 'host-a', renewEvery?: number): DueRunner {
    const elapsed = () => this.clock.now();
    const work = new DueWork(this.store, async () => 'due', `${host}/1/1/`);
    const runner = new DueRunner(work, handlers, this.clock, this.setAsides, this.logger, renewEvery, elapsed);
    this.running.push(runner);
    return runner;
  }

  async stop(): Promise<void> {
    await Promise.all(this.running.map((runner) => runner.stop()));
  }
}

/** Handles items of one kind, and records them. */
export class Worker implements DueHandler {
  readonly done: string[] = [];
  /** How many it had in flight together. */
  most = 0;
  private busy = 0;

  constructor(
    readonly kind: string,
    private readonly work: (item: StoredDueItem) => Promise<DueOutcome> | DueOutcome,
    readonly concurrency = 16,
    readonly ttl = MINUTE,
    readonly longestWait = 10 * MINUTE,
  ) {}

  async handle(item: StoredDueItem): Promise<DueOutcome> {
    this.most = Math.max(this.most, ++this.busy);
    this.done.push(item.subject);
    try {
      return await this.work(item);
    } finally {
      this.busy--;
    }
  }
}
