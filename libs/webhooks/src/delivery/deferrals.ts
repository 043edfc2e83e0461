import { type Duration, type Instant, type RetryDelays, retryDelay, SECOND, type WebhookDeliveryId } from '#kernel';

const DELAYS: RetryDelays = { first: SECOND, longest: 300 * SECOND };

interface Deferral {
  /** How many of these failures were the delivery's own (D67). */
  readonly tries: number;
  /** Consecutive attempts that could not be made. */
  readonly failures: number;
  /** By `Clock.elapsed`. */
  readonly until: Duration;
}

/** Due deliveries of one endpoint that are not attempted before a time, most of them because an attempt could not be made. */
export class Deferrals {
  private readonly deferred = new Map<WebhookDeliveryId, Deferral>();

  get size(): number {
    return this.deferred.size;
  }

  isDeferred(id: WebhookDeliveryId, elapsed: Duration): boolean {
    return elapsed < (this.deferred.get(id)?.until ?? 0);
  }

  hasFailed(id: WebhookDeliveryId): boolean {
    return (this.deferred.get(id)?.failures ?? 0) > 0;
  }

  /** It has not failed, but it is not due before then. */
  deferUntil(id: WebhookDeliveryId, until: Duration): void {
    this.deferred.set(id, { failures: 0, tries: 0, until });
  }

  /** Each consecutive failure doubles the delay. `isOwn` if only the delivery can be the reason. */
  recordFailure(id: WebhookDeliveryId, isOwn: boolean, elapsed: Duration): Deferral {
    const before = this.deferred.get(id);
    const failures = (before?.failures ?? 0) + 1;
    const tries = (before?.tries ?? 0) + Number(isOwn);
    const deferral = { failures, tries, until: elapsed + retryDelay(failures - 1, DELAYS) };
    this.deferred.set(id, deferral);
    return deferral;
  }

  delete(id: WebhookDeliveryId): void {
    this.deferred.delete(id);
  }

  retain(due: ReadonlyMap<WebhookDeliveryId, Instant>): void {
    for (const id of this.deferred.keys()) if (!due.has(id)) this.deferred.delete(id);
  }
}
