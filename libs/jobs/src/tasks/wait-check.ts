import { type Clock, type Duration, type Instant, MINUTE, NEVER, SECOND } from '#kernel';
import type { TaskKind } from './task-collection.js';

const CHECK_INTERVAL: Duration = 5 * SECOND;
/** A wait after a failure may be as long in each kind. */
const LONGEST_RETRY_DELAY: Duration = 5 * MINUTE;
/** Waits up to this length are measured by the monotonic clock, also when the wall clock is set back. */
const LONGEST_MEASURED: Duration = 10 * MINUTE;
const MAX_MOVE: Duration = 2 * SECOND;
const TASKS_PER_READ = 200;

/** Makes tasks ready that wait for a time set by a wrong clock (D93). Their streams decide whether it is time. */
export class WaitCheck {
  private nextCheck: Duration = Number.NEGATIVE_INFINITY;
  private offset: Duration;
  /** The tasks of each kind that were made ready within its longest wait, the first one first, and when by `Clock.elapsed`. */
  private readonly looked = new Map<TaskKind, Map<string, Duration>>();

  constructor(
    private readonly kinds: readonly TaskKind[],
    private readonly clock: Clock,
  ) {
    this.offset = clock.now() - clock.elapsed();
  }

  async check(now: Instant, fence: number | undefined): Promise<void> {
    const elapsed = this.clock.elapsed();
    const movedBack = this.offset - (now - elapsed);
    this.offset = now - elapsed;
    if (movedBack > MAX_MOVE) await this.lookAtMoved(now, movedBack, fence);
    if (elapsed < this.nextCheck) return;
    this.nextCheck = elapsed + CHECK_INTERVAL;
    await Promise.all(this.kinds.map((kind) => this.lookAtLate(kind, now, elapsed, fence)));
  }

  /** At most once within the longest wait of its kind, because a clock that plans it again may be wrong too. */
  private async lookAtLate(kind: TaskKind, now: Instant, elapsed: Duration, fence: number | undefined): Promise<void> {
    const longest = Math.max(kind.longestWait, LONGEST_RETRY_DELAY);
    if (longest === Number.POSITIVE_INFINITY) return;
    const looked = this.looked.get(kind) ?? new Map<string, Duration>();
    this.looked.set(kind, looked);
    for (const [id, at] of looked) {
      if (elapsed - at < longest) break;
      looked.delete(id);
    }
    const limit = TASKS_PER_READ + looked.size;
    const late = await kind.tasks.readyBetween(kind.kind, now + longest, NEVER - 1, limit);
    for (const task of late.filter(({ id }) => !looked.has(id))) {
      await kind.tasks.move(task, { readyAt: now }, fence);
      looked.set(task.id, elapsed);
    }
  }

  private async lookAtMoved(now: Instant, movedBack: Duration, fence: number | undefined): Promise<void> {
    const until = now + movedBack + LONGEST_MEASURED;
    for (const kind of this.kinds) {
      for (let isMore = true; isMore; ) {
        const moved = await kind.tasks.readyBetween(kind.kind, now, until, TASKS_PER_READ);
        const outcomes = await Promise.all(moved.map((task) => kind.tasks.move(task, { readyAt: now }, fence)));
        isMore = moved.length === TASKS_PER_READ && outcomes.includes(true);
      }
    }
  }
}
