import { WriterThread } from '#threads';
import type { Failure } from './failures.js';
import type { Task } from './operations.js';

/** How each task went. */
export type Outcome = { readonly result: unknown } | { readonly failure: Failure };

/** What the thread opens. */
export interface WriteThreadSettings {
  readonly file: string;
}

/** Commits tasks together, in a thread of its own: an outcome for each, once that is committed. */
export class WriteThread {
  readonly #thread: WriterThread<WriteThreadSettings, readonly Task[], readonly Outcome[]>;

  constructor(file: string) {
    this.#thread = new WriterThread(new URL('./writing.thread.js', import.meta.url), { file });
  }

  /** Rejects with `StoreUnavailable` when the thread ends. */
  commit(tasks: readonly Task[]): Promise<readonly Outcome[]> {
    return this.#thread.ask(tasks);
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}
