import { setTimeout as delay } from 'node:timers/promises';
import { isInfrastructureFailure, MAX_TRIES, Signal } from '#jobs';
import { type Clock, type Instant, type Logger, NEVER, type WebhookDeliveryId, type WebhookEndpointId } from '#kernel';
import { adjustLimit, FULL_PACE, type Pace } from '../domain/pace.js';
import type { DeliveryList, DueDelivery } from '../read-models/delivery-list.js';
import { Deferrals } from './deferrals.js';
import { OutcomeRecording } from './outcome-recording.js';
import type { AttemptOutcome, WebhookAttempts } from './webhook-attempts.js';

/** Deliveries per lookup. The others wait in the store and not in memory. */
const BATCH_SIZE = 1_024;
const MAX_IN_FLIGHT = 512;
/** Deliveries that are not due, per lookup of all. */
const MAX_PENDING = 4_096;

/** Delivers to one endpoint, at that endpoint's pace: no other endpoint waits for it (D63). */
export class EndpointDispatcher {
  private readonly signal = new Signal();
  /** Started deliveries, with the due time that they had. The read model may still show them as due. */
  private readonly claimed = new Map<WebhookDeliveryId, Instant>();
  private readonly deferred = new Deferrals();
  private readonly recording = new OutcomeRecording();
  private pace: Pace = FULL_PACE;
  /** The read model may have changed since the last lookup. */
  private isNotified = false;
  private wakingNext: NodeJS.Immediate | undefined;
  private started = 0;
  private sending = 0;
  private inFlight = 0;
  private pause: { readonly since: Instant; readonly until: Instant } = { since: 0, until: 0 };

  constructor(
    private readonly endpointId: WebhookEndpointId,
    private readonly backlog: Pick<DeliveryList, 'due'>,
    private readonly attempts: Pick<WebhookAttempts, 'attempt' | 'setAside'>,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /** Nothing is sent before this time, 0 without a pause. A pause ends when the clock is set back to before it began. */
  pausedUntil(now: Instant): Instant {
    return now < this.pause.since ? 0 : this.pause.until;
  }

  private get isPaused(): boolean {
    const now = this.clock.now();
    return now < this.pausedUntil(now);
  }

  notify(): void {
    this.isNotified = true;
    this.signal.notify();
  }

  /** False if it started nothing because all due deliveries are deferred. `all`: also those shown as not yet due (D93). */
  async run(stop: AbortSignal, all = false): Promise<boolean> {
    const before = this.started;
    const onStop = () => this.notify();
    stop.addEventListener('abort', onStop);
    try {
      while (!stop.aborted && !this.isPaused) {
        this.isNotified = false;
        const { fresh, isLagging } = await this.lookUp(all);
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
  private async lookUp(all: boolean): Promise<{ fresh: DueDelivery[]; isLagging: boolean }> {
    const limit = BATCH_SIZE + this.claimed.size + this.deferred.size;
    const due = all
      ? await this.backlog.due(this.endpointId, NEVER - 1, Math.min(limit, MAX_PENDING))
      : await this.backlog.due(this.endpointId, this.clock.now(), limit);
    const elapsed = this.clock.elapsed();
    const shown = new Map(due.map(({ deliveryId, dueAt }) => [deliveryId, dueAt]));
    for (const [id, dueAt] of this.claimed) if (shown.get(id) !== dueAt) this.claimed.delete(id);
    this.deferred.retain(shown);
    const isFresh = ({ deliveryId: id }: DueDelivery) =>
      !this.claimed.has(id) && !this.deferred.isDeferred(id, elapsed);
    const fresh = due.filter(isFresh).slice(0, BATCH_SIZE);
    return { fresh, isLagging: this.claimed.size > 0 };
  }

  private async start(due: readonly DueDelivery[], stop: AbortSignal): Promise<void> {
    for (let next = 0; next < due.length; ) {
      const free = await this.freePermits();
      if (stop.aborted || this.isPaused) return;
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
    const hasFailed = (id: WebhookDeliveryId) => this.deferred.hasFailed(id);
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

  /** How many attempts may start now; waits until it is at least one. */
  private async freePermits(): Promise<number> {
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
      if (attempted.kind === 'sent') await this.recording.record(attempted);
      if (attempted.kind === 'not_yet') {
        this.deferred.deferUntil(id, this.clock.elapsed() + attempted.wait);
        this.claimed.delete(id);
      } else {
        this.deferred.delete(id);
      }
    } catch (error) {
      await this.failed(id, error, isAlone);
    } finally {
      this.inFlight--;
      this.signal.notify();
    }
  }

  /** After three failures alone, it is set aside (D67), also for a missing key: it does not fill this process's memory. */
  private async failed(id: WebhookDeliveryId, error: unknown, isAlone: boolean): Promise<void> {
    const isOwn = isAlone && !isInfrastructureFailure(error);
    const { failures, tries } = this.deferred.recordFailure(id, isOwn, this.clock.elapsed());
    this.claimed.delete(id);
    if (tries < MAX_TRIES) {
      this.logger.warn({ err: error, deliveryId: id, failures }, 'a webhook delivery failed; it is postponed');
      return;
    }
    this.logger.error({ err: error, deliveryId: id, failures }, 'a webhook delivery failed again; it is set aside');
    await this.attempts.setAside(id, error).catch((cause: unknown) => {
      this.logger.warn({ err: cause, deliveryId: id }, 'could not set a webhook delivery aside; trying again');
    });
  }

  /** The endpoint's permit is free when it has answered; recording the outcome does not hold it. */
  private async awaitAnswer(id: WebhookDeliveryId, attempt: Promise<AttemptOutcome>): Promise<AttemptOutcome> {
    try {
      const attempted = await attempt;
      if (attempted.kind === 'sent') this.pace = adjustLimit(this.pace, attempted.outcome);
      if (attempted.kind === 'suspended') {
        this.pause = { since: this.clock.now(), until: attempted.until };
        this.claimed.delete(id);
      }
      return attempted;
    } finally {
      this.sending--;
      this.wakeNext();
    }
  }

  /** Attempts that end in one turn of the event loop are followed by new ones together, so that their lookups are shared. */
  private wakeNext(): void {
    this.wakingNext ??= setImmediate(() => {
      this.wakingNext = undefined;
      this.signal.notify();
    });
  }
}
