import { type FSWatcher, watch } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import type { Duration } from '#kernel/ports';
import type { FollowerNotifier } from '../follow.js';
import { type Query, query } from './connection.js';

/**
 * Notifies followers when another process has committed. Each writer touches the file after a commit; `data_version`,
 * which takes microseconds to read, shows whether another connection made it. Where the file system reports no touch,
 * the interval finds the commit.
 */
export class CommitPoller {
  readonly #dataVersion: Query<[version: number]>;
  #lastVersion: number | undefined;
  #watcher: FSWatcher | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    db: DatabaseSync,
    private readonly file: string,
    private readonly notifier: FollowerNotifier,
    private readonly interval: Duration,
    /** Whether the log ends with appends of this process: followers have been notified of those. */
    private readonly endsWithOwnAppends: () => boolean,
  ) {
    this.#dataVersion = query(db, 'PRAGMA data_version');
  }

  start(): void {
    if (this.#timer !== undefined) return;
    this.#timer = setInterval(() => this.#poll(), this.interval).unref();
    try {
      this.#watcher = watch(this.file, { persistent: false }, () => this.#poll());
      this.#watcher.on('error', () => this.#watcher?.close());
    } catch {
      // The system has no more watches available.
    }
  }

  stop(): void {
    this.#watcher?.close();
    clearInterval(this.#timer);
  }

  #poll(): void {
    if (!this.notifier.hasWaiting) return;
    const before = this.#lastVersion;
    this.#lastVersion = undefined;
    try {
      // Read before the end of the log, so that the next poll finds a commit in between.
      this.#lastVersion = this.#dataVersion.get()?.[0];
      if (this.#lastVersion === before || this.endsWithOwnAppends()) return;
    } catch {
      // The notified follower reads, and gets the error.
      if (this.#lastVersion === before) return;
    }
    this.notifier.notify();
  }
}
