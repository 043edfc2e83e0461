import { setTimeout as delay } from 'node:timers/promises';
import { isInfrastructureFailure, MAX_TRIES } from '#jobs';
import {
  type Clock,
  type Duration,
  type Instant,
  type Logger,
  SECOND,
  type WebhookDeliveryId,
  type WebhookEndpointId,
} from '#kernel';
import { adjustLimit, FULL_PACE, type Pace } from '../domain/pace.js';
import type { DeliveryList, DueDelivery } from '../read-models/delivery-list.js';
import { Signal } from './signal.js';
import type { AttemptOutcome, WebhookAttempts } from './webhook-attempts.js';

/** Deliveries per look-up. The others wait in the store and not in memory. */
const BATCH_SIZE = 1_024;
/** Attempts that are being sent or recorded. */
const MAX_IN_FLIGHT = 512;
const BATCH_WINDOW: Duration = 40;
const MIN_RETRY_DELAY: Duration = SECOND;
const MAX_RETRY_DELAY: Duration = 300 * SECOND;

interface Deferral {
  /** How many of these failures were the delivery's own (D67). */
  readonly tries: number;
  /** Consecutive attempts that could not be made. */
  readonly failures: number;
  readonly until: Instant;
}

/** Delivers to one endpoint, at that endpoint's pace: no other endpoint waits for it (D63). */
export class EndpointDispatcher {
  private readonly signal = new Signal();
  /** Started deliveries, with the due time that they had. The read model may still show them as due. */
  private readonly claimed = new Map<WebhookDeliveryId, Instant>();
  private readonly deferred = new Map<WebhookDeliveryId, Deferral>();
  private pace: Pace = FULL_PACE;
  /** Successes that are being recorded. */
  private readonly successes = new Set<Promise<void>>();
  /** The read model may have changed since the last look-up. */
  private isNotified = false;
  private batch: Promise<void> | undefined;
  private wakingNext: NodeJS.Immediate | undefined;
  private started = 0;
  private sending = 0;
  private inFlight = 0;
  /** Nothing is sent before this time. */
  pausedUntil: Instant = 0;

  constructor(
    private readonly endpointId: WebhookEndpointId,
    private readonly backlog: Pick<DeliveryList, 'due'>,
    private readonly attempts: Pick<WebhookAttempts, 'attempt' | 'setAside'>,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /** The read model may have changed. */
  notify(): void {
    this.isNotified = true;
    this.signal.notify();
  }

  /**
   * Delivers until nothing is due or `stop` aborts, and returns when the last started attempt has ended. False if it
   * started nothing because all due deliveries are deferred.
   */
  async run(stop: AbortSignal): Promise<boolean> {
    const before = this.started;
    const onStop = () => this.notify();
    stop.addEventListener('abort', onStop);
    try {
      while (!stop.aborted && this.clock.now() >= this.pausedUntil) {
        this.isNotified = false;
        const { fresh, isLagging } = await this.lookUp();
        if (fresh.length > 0) await this.start(fresh, stop);
        else if (!isLagging && this.inFlight === 0) break;
        else await this.changed();
      }
    } finally {
      stop.removeEventListener('abort', onStop);
      while (this.inFlight > 0) await this.signal.wait();
    }
    return this.started > before || this.deferred.size === 0;
  }

  /** Waits until there may be more to start: a delivery that ended here is due until the read model shows its end. */
  private async changed(): Promise<void> {
    while (!this.isNotified && (this.inFlight > 0 || this.claimed.size > 0)) await this.signal.wait();
  }

  /** Due deliveries that were not started; `isLagging` if the read model still shows started ones as due. */
  private async lookUp(): Promise<{ fresh: DueDelivery[]; isLagging: boolean }> {
    const now = this.clock.now();
    const due = await this.backlog.due(this.endpointId, now, BATCH_SIZE + this.claimed.size + this.deferred.size);
    const shown = new Map(due.map(({ deliveryId, dueAt }) => [deliveryId, dueAt]));
    for (const [id, dueAt] of this.claimed) if (shown.get(id) !== dueAt) this.claimed.delete(id);
    for (const id of this.deferred.keys()) if (!shown.has(id)) this.deferred.delete(id);
    const isDeferred = (id: WebhookDeliveryId) => now < (this.deferred.get(id)?.until ?? 0);
    const fresh = due.filter(({ deliveryId: id }) => !this.claimed.has(id) && !isDeferred(id)).slice(0, BATCH_SIZE);
    return { fresh, isLagging: this.claimed.size > 0 };
  }

  private async start(due: readonly DueDelivery[], stop: AbortSignal): Promise<void> {
    for (let next = 0; next < due.length; ) {
      const free = await this.freeSlots();
      if (stop.aborted || this.clock.now() < this.pausedUntil) return;
      this.claim(due.slice(next, next + free));
      next += free;
    }
  }

  private claim(due: readonly DueDelivery[]): void {
    for (const { deliveryId, dueAt } of due) this.claimed.set(deliveryId, dueAt);
    this.sending += due.length;
    this.inFlight += due.length;
    this.started += due.length;
    const ids = due.map(({ deliveryId }) => deliveryId);
    // Alone, so that a delivery that cannot be looked up does not block the same others every time.
    const hasFailed = (id: WebhookDeliveryId) => (this.deferred.get(id)?.failures ?? 0) > 0;
    for (const id of ids.filter(hasFailed)) this.attempt([id]);
    this.attempt(ids.filter((id) => !hasFailed(id)));
  }

  /** Deliveries that are attempted together are looked up together. */
  private attempt(ids: readonly WebhookDeliveryId[]): void {
    if (ids.length === 0) return;
    const attempts = this.attempts.attempt(this.endpointId, ids, this.clock.now());
    for (const [n, id] of ids.entries()) {
      void this.perform(
        id,
        attempts.then((attempted) => attempted[n] as Promise<AttemptOutcome>),
        ids.length === 1,
      );
    }
  }

  /** Outcomes of a few milliseconds are recorded together, so that they share one sync to disk. */
  private awaitBatch(): Promise<void> {
    this.batch ??= delay(BATCH_WINDOW).then(() => {
      this.batch = undefined;
    });
    return this.batch;
  }

  /** How many attempts may start now; waits until it is at least one. */
  private async freeSlots(): Promise<number> {
    if (this.pace.pause > 0) await delay(this.pace.pause);
    for (;;) {
      const free = Math.min(this.pace.concurrencyLimit - this.sending, MAX_IN_FLIGHT - this.inFlight);
      if (free > 0) return free;
      await this.signal.wait();
    }
  }

  private async perform(id: WebhookDeliveryId, attempt: Promise<AttemptOutcome>, isAlone: boolean): Promise<void> {
    try {
      const attempted = await this.awaitAnswer(id, attempt);
      if (attempted.kind === 'sent') {
        await this.record(attempted);
      }
      if (attempted.kind === 'not_yet') this.defer(id, { failures: 0, tries: 0, until: attempted.until });
      else this.deferred.delete(id);
    } catch (error) {
      await this.failed(id, error, isAlone);
    } finally {
      this.inFlight--;
      this.signal.notify();
    }
  }

  /**
   * After three failures while it was attempted alone, a delivery is set aside (D67), and the read model no longer shows it
   * as due. This includes a missing key: until an operator restores it, its deliveries do not fill this process's memory.
   */
  private async failed(id: WebhookDeliveryId, error: unknown, isAlone: boolean): Promise<void> {
    const before = this.deferred.get(id);
    const failures = (before?.failures ?? 0) + 1;
    const tries = (before?.tries ?? 0) + Number(isAlone && !isInfrastructureFailure(error));
    const wait = Math.min(MIN_RETRY_DELAY * 2 ** Math.min(failures - 1, 20), MAX_RETRY_DELAY);
    this.defer(id, { failures, tries, until: this.clock.now() + wait });
    if (tries < MAX_TRIES) {
      this.logger.warn({ err: error, deliveryId: id, failures }, 'a webhook delivery failed; postponed');
      return;
    }
    this.logger.error({ err: error, deliveryId: id, failures }, 'a webhook delivery failed again; set aside');
    await this.attempts.setAside(id, error).catch((cause: unknown) => {
      this.logger.warn({ err: cause, deliveryId: id }, 'a webhook delivery could not be set aside; tried again');
    });
  }

  /** Records a failure after the successes that were answered before it: the log shows which came last (D82). */
  private async record({ outcome, record }: Extract<AttemptOutcome, { kind: 'sent' }>): Promise<void> {
    if (outcome.kind !== 'delivered') {
      await this.awaitBatch();
      await Promise.allSettled(this.successes);
      return record();
    }
    const recorded = this.awaitBatch().then(record);
    this.successes.add(recorded);
    try {
      await recorded;
    } finally {
      this.successes.delete(recorded);
    }
  }

  private defer(id: WebhookDeliveryId, deferral: Deferral): void {
    this.deferred.set(id, deferral);
    this.claimed.delete(id);
  }

  /** The endpoint's slot is free when it has answered; recording the outcome does not occupy it. */
  private async awaitAnswer(id: WebhookDeliveryId, attempt: Promise<AttemptOutcome>): Promise<AttemptOutcome> {
    try {
      const attempted = await attempt;
      if (attempted.kind === 'sent') this.pace = adjustLimit(this.pace, attempted.outcome);
      if (attempted.kind === 'suspended') {
        this.pausedUntil = attempted.until;
        this.claimed.delete(id);
      }
      return attempted;
    } finally {
      this.sending--;
      this.wakeNext();
    }
  }

  /** Slots that become free in one turn of the event loop are filled together, so that their look-ups are shared. */
  private wakeNext(): void {
    this.wakingNext ??= setImmediate(() => {
      this.wakingNext = undefined;
      this.signal.notify();
    });
  }
}
