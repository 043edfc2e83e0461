import type { DatabaseSync } from 'node:sqlite';
import type { Duration } from '#kernel/ports';
import type { FollowerNotifier } from '../follower-notifier.js';
import { type Query, query } from './rows.js';

/**
 * Notifies followers when another process has committed. SQLite sends no notification, but `data_version` changes with
 * each commit of another connection, and reading it takes microseconds. One timer serves all followers; it runs only
 * while one of them waits.
 */
export class CommitPoller {
  readonly #dataVersion: Query<[version: number]>;
  #lastVersion: number | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    db: DatabaseSync,
    private readonly notifier: FollowerNotifier,
    private readonly interval: Duration,
    /** Whether the log ends with appends of this process: followers have been notified about those. */
    private readonly endsWithOwnAppends: () => boolean,
  ) {
    this.#dataVersion = query(db, 'PRAGMA data_version');
  }

  start(): void {
    this.#timer ??= setInterval(() => this.#poll(), this.interval).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #poll(): void {
    if (!this.notifier.hasWaiting) {
      this.stop();
      return;
    }
    let version: number | undefined;
    let isNotified = false;
    try {
      // Read before the end of the log, so that the next poll finds a commit in between.
      version = this.#dataVersion.get()?.[0];
      isNotified = this.endsWithOwnAppends();
    } catch {
      // The notified follower reads, and gets the error.
    }
    const isSame = version === this.#lastVersion;
    this.#lastVersion = version;
    if (!isSame && !isNotified) this.notifier.notify();
  }
}
