import { StoreUnavailable } from '#kernel/ports';
import { errorOf } from './failures.js';
import type { Operation, Result, Task } from './operations.js';
import type { Outcome } from './write-thread.js';

interface Waiting {
  readonly task: () => Task;
  settle(outcome: Outcome): void;
  refuse(error: unknown): void;
}

/** Groups the writes of a turn, and those during a commit, in one transaction, because a commit costs more. */
export class GroupCommit {
  private waiting: Waiting[] = [];
  private draining: Promise<void> | undefined;
  isClosed = false;

  constructor(private readonly commit: (tasks: readonly Task[]) => Promise<readonly Outcome[]>) {}

  /** Runs the task when its turn comes; a failure undoes this task alone. */
  run<O extends Operation>(task: () => Task<O>): Promise<Result<O>> {
    if (this.isClosed) return Promise.reject(new StoreUnavailable('the embedded document store is closed'));
    return new Promise((resolve, reject) => {
      const settle = (outcome: Outcome) => {
        if ('failure' in outcome) reject(errorOf(outcome.failure));
        else resolve(outcome.result as Result<O>);
      };
      this.waiting.push({ task, settle, refuse: reject });
      this.draining ??= this.drain();
    });
  }

  /** Accepts no more tasks, and resolves when all accepted ones are committed. */
  async close(): Promise<void> {
    this.isClosed = true;
    await this.draining;
  }

  private async drain(): Promise<void> {
    while (this.waiting.length > 0) {
      await new Promise((resolve) => setImmediate(resolve));
      const group = this.waiting;
      this.waiting = [];
      try {
        const outcomes = await this.commit(group.map(({ task }) => task()));
        for (const [index, { settle }] of group.entries()) settle(outcomes[index] ?? NONE);
      } catch (error) {
        for (const { refuse } of group) refuse(error);
      }
    }
    this.draining = undefined;
  }
}

const NONE: Outcome = { failure: { kind: 'unavailable', message: 'the write has no outcome' } };
