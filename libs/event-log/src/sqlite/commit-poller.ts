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
    // Read before the end of the log, so that the next poll finds a commit in between.
    const version = this.#version();
    const isSame = version === this.#lastVersion;
    this.#lastVersion = version;
    if (!isSame && !this.#isNotified()) this.notifier.notify();
  }

  /** Undefined on an error: then the notified follower reads, and gets the error. */
  #version(): number | undefined {
    try {
      return this.#dataVersion.get()?.[0];
    } catch {
      return undefined;
    }
  }

  #isNotified(): boolean {
    try {
      return this.endsWithOwnAppends();
    } catch {
      return false;
    }
  }
}
