import type { DocumentStore } from './document-store.js';
import type { Position } from './event.js';

/** How often a waiter looks at the checkpoints of runners in other processes, in milliseconds. */
const POLL = 10;

/** How far the log's runners have come, in this process and in others. */
export class Progress {
  private readonly local = new Map<string, Position>();
  private readonly listeners = new Set<() => void>();

  constructor(private readonly store: DocumentStore) {}

  /** A runner of this process has reached the position and stored its checkpoint. */
  report(runner: string, position: Position): void {
    this.local.set(runner, position);
    for (const listener of this.listeners) listener();
  }

  /** The runner is no longer of this process. */
  forget(runner: string): void {
    this.local.delete(runner);
  }

  onReport(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** The runner's position, from this process or from its stored checkpoint. */
  async of(runner: string): Promise<Position> {
    return this.local.get(runner) ?? (await this.store.checkpoint(runner))?.position ?? 0;
  }

  /** Resolves to true once all runners have passed the position, to false after `timeout` milliseconds. */
  async passed(runners: readonly string[], position: Position, timeout: number): Promise<boolean> {
    const deadline = performance.now() + timeout;
    let behind = await this.behind(runners, position);
    while (behind.length > 0) {
      const left = deadline - performance.now();
      if (left <= 0) return false;
      await this.change(behind.some((runner) => !this.local.has(runner)) ? Math.min(POLL, left) : left);
      behind = await this.behind(behind, position);
    }
    return true;
  }

  private async behind(runners: readonly string[], position: Position): Promise<string[]> {
    const behind = [];
    for (const runner of runners) if ((await this.of(runner)) < position) behind.push(runner);
    return behind;
  }

  private change(timeout: number): Promise<void> {
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
