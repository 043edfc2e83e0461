import { WriterThread } from '#threads';
import type { Failure } from './failures.js';
import type { Task } from './operations.js';

export type Outcome = { readonly result: unknown } | { readonly failure: Failure };

export interface WriteThreadSettings {
  readonly file: string;
  readonly caches: boolean;
}

/** Commits tasks together, in a separate thread; each gets its outcome after the commit. */
export type WriteThread = WriterThread<WriteThreadSettings, readonly Task[], readonly Outcome[]>;

export const writeThreadFor = (file: string, caches: boolean): WriteThread =>
  new WriterThread(new URL('./writing.thread.js', import.meta.url), { file, caches });
