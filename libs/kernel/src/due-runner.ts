import { setTimeout as delay } from 'node:timers/promises';
import { CLAIM, type DueWork, dueItemId, type StoredDueItem } from './due-work.js';
import { isDeadHere } from './holder.js';
import { type Clock, type Duration, type Instant, MINUTE, SECOND } from './instant.js';
import type { Logger } from './logger.js';

/** What became of an item: an event moves it on, or nothing changed and it is to be looked at again later. */
export type DueOutcome = 'moved_on' | { readonly again: Instant };

export interface DueHandler {
  readonly kind: string;
  /** How many items of the kind may be worked on at once in this process. */
  readonly concurrency: number;
  /** How long one may take before others try it too, though this one still seems to be at it; a minute where it is left out. */
  readonly ttl?: Duration;
  /** Folds the item's streams first: the item only says that there may be something to do. */
  handle(item: StoredDueItem, now: Instant): Promise<DueOutcome>;
}

/** How often due work of other processes is looked for, at least. */
const LOOK: Duration = 500;
/** How long to wait before looking again, however often the loop is woken: each event wakes it. */
const APART: Duration = 5;
const FREE_DEAD: Duration = 5 * SECOND;
const RETRY_FIRST: Duration = SECOND;
const RETRY_MOST: Duration = 5 * MINUTE;

interface Claimed {
  readonly begun: readonly Promise<void>[];
  /** Something that was claimed is under way here already. */
  readonly isAgain: boolean;
}

const NOTHING: Claimed = { begun: [], isAgain: false };

/** Claims what is due and has it done. */
export class DueRunner {
  private readonly stopping = new AbortController();
  private readonly underWay = new Map<string, Promise<void>>();
  private wake: () => void = () => undefined;
  private loop: Promise<void> | undefined;
  private looks = 0;

  constructor(
    private readonly work: DueWork,
    private readonly handlers: readonly DueHandler[],
    private readonly clock: Clock,
    private readonly logger: Logger,
    /** How often a claim is renewed while its item is worked on. */
    private readonly renewEvery: Duration = CLAIM / 4,
  ) {}

  /** Starts once `ready` resolves, so that nothing is claimed from a read model that is behind. */
  start(ready: Promise<unknown>): void {
    this.loop ??= ready.then(() => this.run());
  }

  get isStopping(): boolean {
    return this.stopping.signal.aborted;
  }

  /** Something may have become due. */
  nudge(): void {
    this.wake();
  }

  /** How often it has found nothing to begin, and whether it is at work: for a test that waits until it is not. */
  get activity(): { readonly looks: number; readonly isBusy: boolean } {
    return { looks: this.looks, isBusy: this.underWay.size > 0 };
  }

  /** Claims no more, and waits for what is under way. */
  async stop(): Promise<void> {
    this.stopping.abort();
    this.wake();
    await this.loop;
    await Promise.all(this.underWay.values());
  }

  /** Does what is due now, as far as there is room, and waits for it; returns how much that was. */
  async runDue(now: Instant): Promise<number> {
    const { begun } = await this.claimDue(now);
    await Promise.all(begun);
    return begun.length;
  }

  private async run(): Promise<void> {
    let lookForDead = 0;
    while (!this.stopping.signal.aborted) {
      const woken = new Promise<void>((resolve) => {
        this.wake = resolve;
      });
      try {
        const now = this.clock.now();
        if (now >= lookForDead) {
          await this.work.freeClaimsOf(isDeadHere, now);
          lookForDead = now + FREE_DEAD;
        }
        await this.rest(woken, await this.look(now));
      } catch (error) {
        this.logger.error({ err: error }, 'due work could not be claimed');
        await this.rest(woken, undefined);
      }
    }
  }

  private async rest(woken: Promise<void>, next: Instant | undefined): Promise<void> {
    if (!this.isStopping) await delay(APART);
    const wait = next === undefined ? LOOK : Math.min(LOOK, Math.max(1, next - this.clock.now()));
    let timer: NodeJS.Timeout | undefined;
    const over = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, wait);
    });
    await Promise.race([woken, over]);
    clearTimeout(timer);
  }

  /** Begins what is due; returns when something else will be. What has no room waits for an end that wakes the loop. */
  private async look(now: Instant): Promise<Instant | undefined> {
    const next = await this.work.nextReady();
    const isDue = next !== undefined && next <= now;
    const { begun, isAgain } = isDue ? await this.claimDue(now) : NOTHING;
    if (begun.length === 0 && !isAgain) this.looks++;
    // What was claimed in vain may have taken the room of what comes behind it.
    if (isAgain) return now;
    return isDue ? this.work.nextReady(now) : next;
  }

  private roomFor({ kind, concurrency }: DueHandler): number {
    let busy = 0;
    for (const id of this.underWay.keys()) if (id.startsWith(dueItemId(kind, ''))) busy++;
    return concurrency - busy;
  }

  private async claimDue(now: Instant): Promise<Claimed> {
    const room = this.handlers.map((handler) => [handler.kind, this.roomFor(handler)] as const);
    const items = await this.work.claimDue(new Map(room.filter(([, most]) => most > 0)), now);
    const again = items.filter(({ id }) => this.underWay.has(id));
    const begun = this.handlers.flatMap((handler) =>
      items
        .filter((item) => item.kind === handler.kind && !again.includes(item))
        .map((item) => this.begin(handler, item, now)),
    );
    // An event has made them due again while they are still worked on here: they wait for that to end.
    await Promise.all(again.map((item) => this.work.postpone(item, now + LOOK, item.failures)));
    return { begun, isAgain: again.length > 0 };
  }

  private begin(handler: DueHandler, item: StoredDueItem, now: Instant): Promise<void> {
    const done = this.perform(handler, item, now).finally(() => {
      this.underWay.delete(item.id);
      this.wake();
    });
    this.underWay.set(item.id, done);
    return done;
  }

  private async perform(handler: DueHandler, item: StoredDueItem, now: Instant): Promise<void> {
    try {
      const outcome = await this.keeping(item, handler.ttl ?? MINUTE, () => handler.handle(item, now));
      if (outcome !== 'moved_on') await this.work.postpone(item, outcome.again);
    } catch (error) {
      this.logger.warn({ err: error, item: item.id, failures: item.failures + 1 }, 'due work failed; put off');
      const wait = Math.min(RETRY_FIRST * 2 ** Math.min(item.failures, 20), RETRY_MOST);
      await this.work.postpone(item, this.clock.now() + wait, item.failures + 1).catch(() => undefined);
    }
  }

  /** Runs the task with the item's claim renewed, for at most that long. */
  private async keeping<T>(item: StoredDueItem, most: Duration, task: () => Promise<T>): Promise<T> {
    const over = new AbortController();
    const renewing = this.renew(item, most, over.signal);
    try {
      return await task();
    } finally {
      over.abort();
      // A renewal that is under way must not come after the item is given back.
      await renewing;
    }
  }

  private async renew(item: StoredDueItem, most: Duration, over: AbortSignal): Promise<void> {
    const end = this.clock.now() + most;
    while (await passes(this.renewEvery, over)) {
      const now = this.clock.now();
      if (now >= end) return;
      // What could not be written is tried again: the claim stands for a while.
      const isOurs = await this.work.keep(item, Math.min(now + CLAIM, end)).catch(() => true);
      if (!isOurs) return;
    }
  }
}

/** Whether the time went by before it was over. */
const passes = (duration: Duration, over: AbortSignal): Promise<boolean> =>
  delay(duration, true, { signal: over, ref: false }).catch(() => false);
