import type { Position } from '../events/event.js';
import { type Duration, MINUTE, SECOND } from '../instant.js';
import type { DocumentStore } from '../stores/document-store.js';

/** How often the checkpoints of runners in other processes are read during a wait, in milliseconds. */
const POLL_INTERVAL = 10;

const VIEW_TIMEOUT: Duration = 2 * SECOND;
/** No answer waits for a runner that lacks what the tail of the process had passed this long before (D68). */
const STALL_TIMEOUT: Duration = 5 * SECOND;
/** Positions that the tail passes within this time count as one moment. */
const MOMENT: Duration = 100;

interface Stall {
  readonly position: Position;
  readonly since: number;
}

interface TailMoment {
  position: Position;
  readonly at: number;
}

export class LanePositions {
  private readonly local = new Map<string, Position>();
  private readonly listeners = new Set<() => void>();
  private readonly lookups = new Map<string, Promise<Position>>();
  private readonly stalls = new Map<string, Stall>();
  /** The moments of the last five seconds, and the one before them. */
  private readonly tail: TailMoment[] = [];
  /** Counts changes, so that a change between a check and the wait after it is not missed. */
  private changes = 0;

  constructor(
    private readonly store: Pick<DocumentStore, 'checkpoint'>,
    private readonly elapsed: () => number = () => performance.now(),
    private readonly laneOf: (runner: string) => string = (runner) => runner,
  ) {}

  /** A runner of this process has reached the position and stored its checkpoint. */
  report(runner: string, position: Position): void {
    this.local.set(this.laneOf(runner), position);
    this.changed();
  }

  /** The runner has left this process, so its checkpoint has to be read from now on. */
  forget(runner: string): void {
    if (this.local.delete(this.laneOf(runner))) this.changed();
  }

  /** This process follows the log, and has seen it up to the position. */
  tailPassed(position: Position): void {
    const at = this.elapsed();
    const last = this.tail.at(-1);
    if (last !== undefined && at - last.at < MOMENT) last.position = position;
    else this.tail.push({ position, at });
    while (at - (this.tail[1]?.at ?? at) >= STALL_TIMEOUT) this.tail.shift();
  }

  onReport(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  async of(runner: string): Promise<Position> {
    const lane = this.laneOf(runner);
    return this.local.get(lane) ?? this.stored(lane);
  }

  /**
   * Resolves to true when all runners have passed the position. False after `timeout` milliseconds, or when none of those
   * that are behind has advanced for `stalled` milliseconds or is worth waiting for. Rejects when `signal` is aborted.
   */
  async waitForPosition(
    runners: readonly string[],
    position: Position,
    timeout: Duration,
    stalled: Duration | ((runner: string) => boolean) = Number.POSITIVE_INFINITY,
    signal?: AbortSignal,
  ): Promise<boolean> {
    const deadline = this.elapsed() + timeout;
    const isStalled = typeof stalled === 'number' ? (runner: string) => this.isStalled(runner, stalled) : stalled;
    for (let behind = runners; ; ) {
      signal?.throwIfAborted();
      const seen = this.changes;
      behind = await this.behind(behind, position);
      if (behind.length === 0) return true;
      const awaited = behind.filter((runner) => !isStalled(runner));
      const left = deadline - this.elapsed();
      if (left <= 0 || awaited.length === 0) return false;
      const isElsewhere = awaited.some((runner) => !this.local.has(this.laneOf(runner)));
      await this.changeSince(seen, isElsewhere ? Math.min(untilNextPoll(), left) : left, signal);
    }
  }

  /**
   * The same for an answer. It waits at most two seconds, and does not wait for runners that lack what the tail of this
   * process had passed five seconds before (D68).
   */
  waitForPositionBriefly(runners: readonly string[], position: Position): Promise<boolean> {
    return this.waitForPosition(runners, position, VIEW_TIMEOUT, (runner) => this.isFarBehind(runner));
  }

  /** Resolves when a runner of this process has passed the position: a stored checkpoint may be of another log (D92). */
  async waitForOwn(runner: string, position: Position, signal: AbortSignal): Promise<void> {
    while ((this.local.get(this.laneOf(runner)) ?? -1) < position) {
      await this.changeSince(this.changes, MINUTE, signal);
      signal.throwIfAborted();
    }
  }

  private isFarBehind(runner: string): boolean {
    const now = this.elapsed();
    const before = this.tail.findLast(({ at }) => now - at >= STALL_TIMEOUT)?.position ?? 0;
    return (this.stalls.get(this.laneOf(runner))?.position ?? before) < before;
  }

  isStalled(runner: string, stalledAfter: Duration = STALL_TIMEOUT): boolean {
    const stall = this.stalls.get(this.laneOf(runner));
    return stall !== undefined && this.elapsed() - stall.since >= stalledAfter;
  }

  /** How far each runner is behind a position. Repeated calls also detect stalled runners. */
  async lags(runners: readonly string[], position: Position): Promise<ReadonlyMap<string, Position>> {
    const lags = runners.map(async (runner) => {
      await this.isBehind(this.laneOf(runner), position);
      return [runner, Math.max(0, position - (await this.of(runner)))] as const;
    });
    return new Map(await Promise.all(lags));
  }

  private stored(runner: string): Promise<Position> {
    const underWay = this.lookups.get(runner);
    if (underWay !== undefined) return underWay;
    const look = this.store
      .checkpoint(runner)
      .then((checkpoint) => checkpoint?.position ?? 0)
      .finally(() => this.lookups.delete(runner));
    this.lookups.set(runner, look);
    return look;
  }

  private async behind(runners: readonly string[], position: Position): Promise<string[]> {
    const behind = [];
    for (const lane of new Set(runners.map(this.laneOf))) if (await this.isBehind(lane, position)) behind.push(lane);
    return behind;
  }

  private async isBehind(runner: string, position: Position): Promise<boolean> {
    const reached = await this.of(runner);
    if (reached >= position) {
      this.stalls.delete(runner);
      return false;
    }
    if (this.stalls.get(runner)?.position !== reached) {
      this.stalls.set(runner, { position: reached, since: this.elapsed() });
    }
    return true;
  }

  private changed(): void {
    this.changes++;
    for (const listener of this.listeners) listener();
  }

  private changeSince(seen: number, timeout: number, signal?: AbortSignal): Promise<void> {
    if (this.changes !== seen || signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', done);
        stop();
        resolve();
      };
      const timer = setTimeout(done, Math.min(timeout, MINUTE));
      const stop = this.onReport(done);
      signal?.addEventListener('abort', done);
    });
  }
}

/** All waiters of this process poll at the same moments, so that they share a read. Rounded up, as timers drop fractions. */
const untilNextPoll = (): number => Math.ceil(POLL_INTERVAL - (performance.now() % POLL_INTERVAL));
