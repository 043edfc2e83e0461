import type { DocumentStore } from './document-store.js';
import type { Position } from './event.js';

/** How often a waiter looks at the checkpoints of runners in other processes, in milliseconds. */
const POLL = 10;

/** How far the log's runners have come, in this process and in others. */
export class Progress {
  private readonly local = new Map<string, Position>();
  private readonly listeners = new Set<() => void>();
  /** Looks at checkpoints that are under way: whoever waits for one runner shares them. */
  private readonly looks = new Map<string, Promise<Position>>();
  /** Counts changes: one that comes between looking and waiting is not missed. */
  private changes = 0;

  constructor(private readonly store: DocumentStore) {}

  /** A runner of this process has reached the position and stored its checkpoint. */
  report(runner: string, position: Position): void {
    this.local.set(runner, position);
    this.changed();
  }

  /** The runner is no longer of this process: whoever waits for it is to look at its checkpoint. */
  forget(runner: string): void {
    if (this.local.delete(runner)) this.changed();
  }

  onReport(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** The runner's position, from this process or from its stored checkpoint. */
  async of(runner: string): Promise<Position> {
    return this.local.get(runner) ?? this.stored(runner);
  }

  /** Resolves to true once all runners have passed the position, to false after `timeout` milliseconds. */
  async passed(runners: readonly string[], position: Position, timeout: number): Promise<boolean> {
    const deadline = performance.now() + timeout;
    for (let behind = runners; ; ) {
      const seen = this.changes;
      behind = await this.behind(behind, position);
      if (behind.length === 0) return true;
      const left = deadline - performance.now();
      if (left <= 0) return false;
      const isElsewhere = behind.some((runner) => !this.local.has(runner));
      await this.changeSince(seen, isElsewhere ? Math.min(untilNextPoll(), left) : left);
    }
  }

  private stored(runner: string): Promise<Position> {
    const underWay = this.looks.get(runner);
    if (underWay !== undefined) return underWay;
    const look = this.store
      .checkpoint(runner)
      .then((checkpoint) => checkpoint?.position ?? 0)
      .finally(() => this.looks.delete(runner));
    this.looks.set(runner, look);
    return look;
  }

  private async behind(runners: readonly string[], position: Position): Promise<string[]> {
    const behind = [];
    for (const runner of runners) if ((await this.of(runner)) < position) behind.push(runner);
    return behind;
  }

  private changed(): void {
    this.changes++;
    for (const listener of this.listeners) listener();
  }

  private changeSince(seen: number, timeout: number): Promise<void> {
    if (this.changes !== seen) return Promise.resolve();
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        stop();
        resolve();
      };
      const timer = setTimeout(done, timeout);
      const stop = this.onReport(done);
    });
  }
}

/** All who wait in this process look at the same moments, so that they share the look. A timer drops fractions. */
const untilNextPoll = (): number => Math.ceil(POLL - (performance.now() % POLL));
