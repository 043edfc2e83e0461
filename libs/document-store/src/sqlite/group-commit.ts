import type { Connection } from './connection.js';
import { asStoreError } from './sqlite-error.js';

interface Task {
  /** Returns what tells the caller how it went, once that is committed. */
  perform(): () => void;
  refuse(error: unknown): void;
}

/** Runs the writes of one turn in one transaction: a commit costs more than a small write. */
export class GroupCommit {
  private tasks: Task[] = [];

  constructor(private readonly connection: Connection) {}

  /** The task's failure undoes the task, and no other. */
  run<T>(task: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.tasks.length === 0) setImmediate(() => this.commit());
      this.tasks.push({
        perform: () => {
          const result = task();
          return () => resolve(result);
        },
        refuse: (error) => reject(asStoreError(error)),
      });
    });
  }

  /** Commits what waits for the end of the turn. */
  commit(): void {
    const tasks = this.tasks;
    this.tasks = [];
    if (tasks.length === 0) return;
    try {
      const outcomes = this.connection.writing(() =>
        tasks.map((task) => (tasks.length === 1 ? task.perform() : this.performApart(task))),
      );
      for (const tell of outcomes) tell();
    } catch (error) {
      for (const task of tasks) task.refuse(error);
    }
  }

  private performApart(task: Task): () => void {
    try {
      return this.connection.apart(() => task.perform());
    } catch (error) {
      // SQLite has rolled back the whole transaction, as on a full disk: all have failed.
      if (!this.connection.inTransaction) throw error;
      return () => task.refuse(error);
    }
  }
}
