import { setTimeout as delay } from 'node:timers/promises';
import {
  AgencyPermits,
  type Clock,
  type DueJobs,
  type DueOutcome,
  type Duration,
  type Instant,
  type Logger,
  MINUTE,
  NEVER,
  type OptionsOf,
  type RetryDelays,
  retryDelay,
  SECOND,
  type StoredDueItem,
} from '#kernel';
import { isInfrastructureFailure } from '../infrastructure-failure.js';
import { LeaseHeld, withoutWaiting } from '../leases/lease-held.js';
import { whileRenewing } from '../leases/renewal.js';
import { DUE_WORK } from '../set-asides/set-aside.js';
import { MAX_TRIES, type SetAsides } from '../set-asides/set-asides.js';
import { POLL_INTERVAL, Signal } from '../signal.js';
import { CLAIM_TTL, type DueWork, type ItemTurn } from './due-work.js';
import { MAX_RETRY_DELAY, Recovery } from './recovery.js';

/** The shortest time between two polls, because each event wakes the loop. */
const MIN_POLL_GAP: Duration = 5;
/** D89: one agency has a quarter of the capacity of a kind, and one that has none waits at most this long for slow work. */
const SHARE_OF_AGENCY = 1 / 4;
const SLOW_AFTER: Duration = 500;
/** An item whose lease another task holds is tried again after this time, so that it does not wait in flight. */
const LEASE_RETRY: Duration = SECOND;
const RETRY_DELAYS: RetryDelays = { first: SECOND, longest: MAX_RETRY_DELAY };

interface ClaimResult {
  readonly started: readonly Promise<void>[];
  /** One of the claimed items was already in flight in this process. */
  readonly hasRunning: boolean;
}

const NOTHING_CLAIMED: ClaimResult = { started: [], hasRunning: false };

export interface DueCommands {
  execute(command: object): Promise<DueOutcome>;
}

/** Claims due items and executes the commands of their jobs. */
export class DueRunner {
  private stopping = new AbortController();
  private readonly inFlight = new Map<string, Promise<void>>();
  private readonly permits: ReadonlyMap<string, AgencyPermits>;
  private readonly signal = new Signal();
  private loop: Promise<void> | undefined;
  private polls = 0;
  private readonly recovery: Recovery;

  constructor(
    private readonly work: DueWork,
    private readonly jobs: DueJobs,
    private readonly commands: DueCommands,
    optionsOf: OptionsOf,
    private readonly clock: Clock,
    private readonly setAsides: Pick<SetAsides, 'record'>,
    private readonly logger: Logger,
    private readonly renewEvery: Duration = CLAIM_TTL / 4,
    elapsed?: () => number,
  ) {
    this.recovery = new Recovery(work, jobs, clock, optionsOf);
    this.permits = new Map(
      Object.entries(jobs).map(([kind, { concurrency: total }]) => {
        const perAgency = Math.max(1, Math.floor(total * SHARE_OF_AGENCY));
        return [kind, new AgencyPermits({ perAgency, total, slowAfter: SLOW_AFTER }, elapsed)];
      }),
    );
  }

  /** Starts when `ready` resolves, so that nothing is claimed from a read model that is behind. */
  start(ready: Promise<unknown>): void {
    this.stopping = new AbortController();
    this.loop = ready.then(() => this.run());
  }

  get isStopping(): boolean {
    return this.stopping.signal.aborted;
  }

  notify(): void {
    this.signal.notify();
  }

  /** How many polls found nothing to start, and whether an item is in flight. Tests wait with it for the end of all work. */
  get activity(): { readonly polls: number; readonly isBusy: boolean } {
    return { polls: this.polls, isBusy: this.inFlight.size > 0 };
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    this.notify();
    await this.loop;
    await Promise.all(this.inFlight.values());
  }

  async runDue(now: Instant): Promise<number> {
    const { started } = await this.claimDue(now);
    await Promise.all(started);
    return started.length;
  }

  /** Makes due what lost processes have claimed, and what waits for a false time. */
  async recover(): Promise<void> {
    await this.recovery.run(this.clock.now());
  }

  private async run(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      const notified = this.signal.wait();
      const began = performance.now();
      let next: Instant | undefined;
      try {
        await this.recover();
        next = await this.poll(this.clock.now());
      } catch (error) {
        this.logger.error({ err: error }, 'due work could not be claimed; the next poll retries');
      }
      await this.waitForNext(notified, next, performance.now() - began);
    }
  }

  private async waitForNext(notified: Promise<void>, next: Instant | undefined, took: Duration): Promise<void> {
    // A read of many turns takes longer, and must not use all of the time.
    if (!this.isStopping) await delay(Math.max(MIN_POLL_GAP, took));
    await this.signal.waitForPoll(notified, next, this.clock.now());
  }

  /** Starts what is due, and returns when to poll next. An item over the limit waits until the end of another wakes the loop. */
  private async poll(now: Instant): Promise<Instant | undefined> {
    const next = await this.work.nextReady();
    const isDue = next !== undefined && next <= now;
    const { started, hasRunning } = isDue ? await this.claimDue(now) : NOTHING_CLAIMED;
    if (started.length === 0 && !hasRunning) this.polls++;
    // An item that was claimed although it is in flight may have taken the room of another one.
    if (hasRunning) return now;
    return isDue ? this.work.nextReady(now) : next;
  }

  private async claimDue(now: Instant): Promise<ClaimResult> {
    const open = new Map([...this.permits].filter(([, permits]) => !permits.isExhausted));
    const turns = await this.work.claimDue(open, now);
    const running = turns.filter(({ task }) => this.inFlight.has(task.id));
    const started = turns.filter((turn) => !running.includes(turn)).map((turn) => this.startItem(turn));
    // An event has made these items due again while they are in flight, so they wait until that has ended.
    await Promise.all(
      running.map(({ task: item, permit }) => {
        permit.release();
        return this.work.postpone(item, now + POLL_INTERVAL, item.failures, item.tries);
      }),
    );
    return { started, hasRunning: running.length > 0 };
  }

  private startItem({ task: item, permit }: ItemTurn): Promise<void> {
    const done = this.perform(item).finally(() => {
      permit.release();
      this.inFlight.delete(item.id);
      this.notify();
    });
    this.inFlight.set(item.id, done);
    return done;
  }

  async handle(item: StoredDueItem): Promise<DueOutcome> {
    const job = this.jobs[item.kind];
    const command = item.isSetAside === true ? job?.whenSetAside?.(item) : job?.command(item);
    return command === undefined ? 'idle' : this.commands.execute(command);
  }

  private async perform(item: StoredDueItem): Promise<void> {
    try {
      const handle = () => withoutWaiting(() => this.handle(item));
      const outcome = await this.withRenewal(item, this.jobs[item.kind]?.ttl ?? MINUTE, handle);
      if (outcome === 'idle') await this.work.postpone(item, NEVER);
      else if (outcome !== 'done') await this.work.plan(item, outcome.retryAt);
    } catch (error) {
      await this.recordFailure(item, error).catch(() => undefined);
    }
  }

  /** Postpones the item. The third failure that is its own, and not a store's or provider's, sets it aside (D67). */
  private async recordFailure(item: StoredDueItem, error: unknown): Promise<void> {
    if (error instanceof LeaseHeld)
      return this.work.postpone(item, this.clock.now() + LEASE_RETRY, item.failures, item.tries);
    const failures = item.failures + 1;
    const tries = (item.tries ?? 0) + (isInfrastructureFailure(error) ? 0 : 1);
    const wait = retryDelay(item.failures, RETRY_DELAYS);
    await this.work.postpone(item, this.clock.now() + wait, failures, tries);
    if (tries < MAX_TRIES || item.isSetAside === true) {
      this.logger.warn({ err: error, item: item.id, failures }, 'due work failed; it is postponed');
      return;
    }
    this.logger.error({ err: error, item: item.id, failures }, 'due work failed again; it is set aside');
    const { id: itemId, kind: dueKind, subject, cause, workspaceId } = item;
    const aside = { kind: 'dueItem', itemId, dueKind, subject, cause } as const;
    await this.setAsides.record({ runner: DUE_WORK, part: null, item: aside }, error, { ...cause, workspaceId });
  }

  private withRenewal<T>(item: StoredDueItem, limit: Duration, task: () => Promise<T>): Promise<T> {
    const end = this.clock.elapsed() + limit;
    let renewals = 0;
    const renew = async () => {
      if (this.clock.elapsed() >= end) return false;
      // A failed write is repeated at the next renewal; the claim lasts longer than that.
      return this.work.renew(item, ++renewals).catch(() => true);
    };
    return whileRenewing(this.renewEvery, renew, task);
  }
}
