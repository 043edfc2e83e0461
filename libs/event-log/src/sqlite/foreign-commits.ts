import type { DatabaseSync } from 'node:sqlite';
import type { Duration } from '#kernel/ports';
import type { WakeUps } from '../wake-ups.js';
import { type Query, query } from './rows.js';

/**
 * Rings when another process has committed. SQLite tells nobody, but keeps a number that changes with each commit of
 * another connection, and to look at that costs microseconds. One timer serves all followers, and it runs only while one
 * of them sleeps.
 */
export class ForeignCommits {
  readonly #dataVersion: Query<[version: number]>;
  #seen: number | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    db: DatabaseSync,
    private readonly wakeUps: WakeUps,
    private readonly every: Duration,
    /** Whether the log ends with what this process has appended and told of: its own commits need no ring. */
    private readonly endsHere: () => boolean,
  ) {
    this.#dataVersion = query(db, 'PRAGMA data_version');
  }

  watch(): void {
    this.#timer ??= setInterval(() => this.#look(), this.every).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #look(): void {
    if (!this.wakeUps.hasSleepers) {
      this.stop();
      return;
    }
    // Before the log's end is looked at: what is committed in between is found the next time.
    const version = this.#current();
    const isSame = version === this.#seen;
    this.#seen = version;
    if (!isSame && !this.#endsHere()) this.wakeUps.ringForOthers();
  }

  /** A follower that is woken finds out itself what is wrong with the database. */
  #current(): number | undefined {
    try {
      return this.#dataVersion.get()?.[0];
    } catch {
      return undefined;
    }
  }

  #endsHere(): boolean {
    try {
      return this.endsHere();
    } catch {
      return false;
    }
  }
}
