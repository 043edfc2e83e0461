import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { type Place, TaskCollection, type TaskKind } from '#jobs';
import {
  Clock,
  DocumentStore,
  type Duration,
  LiveCollections,
  type QueueOutcome,
  type WebhookDeliveryId,
  type WebhookEndpointId,
} from '#kernel';
import { longestRetryWait } from '../domain/webhook-delivery.js';
import { type DeliveryTask, deliveryListProjection } from '../read-models/delivery-list.js';
import { type AttemptOutcome, type SentAttempt, WebhookAttempts, WebhooksOptions } from './webhook-attempts.js';

/** How many concurrent requests an endpoint gets, and the pause between two (D63). */
export interface Pace {
  readonly concurrencyLimit: number;
  readonly pause: Duration;
  readonly failures: number;
}

const MAX_CONCURRENCY = 64;
const PAUSE_STEP: Duration = 10;
const MAX_PAUSE: Duration = 100;

export const FULL_PACE: Pace = { concurrencyLimit: MAX_CONCURRENCY, pause: 0, failures: 0 };

/** Each consecutive failure halves the limit, down to one at a time with a pause; each success adds one again. */
export const adjustLimit = ({ concurrencyLimit, failures }: Pace, isDelivered: boolean): Pace => {
  if (isDelivered)
    // The same object, so that nothing needs to be remembered of an endpoint that is well.
    return concurrencyLimit + 1 < MAX_CONCURRENCY
      ? { concurrencyLimit: concurrencyLimit + 1, pause: 0, failures: 0 }
      : FULL_PACE;
  const slower = Math.max(1, Math.floor(concurrencyLimit / 2));
  const pause = slower > 1 ? 0 : Math.min((failures + 1) * PAUSE_STEP, MAX_PAUSE);
  return { concurrencyLimit: slower, pause, failures: failures + 1 };
};

const BATCH_WINDOW: Duration = 40;

class Endpoint {
  pace: Pace = FULL_PACE;
  inFlight = 0;
  private batch: Promise<void> | undefined;
  private successes: Promise<unknown> = Promise.resolve();

  /** Failures are recorded after the successes that were answered before them: the log shows what came last (D82). */
  record({ isDelivered, record }: SentAttempt): Promise<unknown> {
    const earlier = isDelivered ? undefined : this.successes;
    const recorded = Promise.all([this.awaitBatch(), earlier]).then(record);
    if (isDelivered) this.successes = Promise.allSettled([this.successes, recorded]);
    return recorded;
  }

  /** Outcomes of a few milliseconds are recorded together, so that they share one sync to disk. */
  private awaitBatch(): Promise<void> {
    this.batch ??= delay(BATCH_WINDOW).then(() => {
      this.batch = undefined;
    });
    return this.batch;
  }
}

const MAX_TOGETHER = 1_024;

/** The documents of `webhook_deliveries` are tasks; the lane key is the endpoint, so that no other one waits for it (D63). */
@Injectable()
export class DeliveryTasks implements TaskKind<DeliveryTask> {
  readonly kind = 'delivery';
  readonly concurrency = MAX_TOGETHER;
  readonly startsTogether = true;
  readonly tasks: TaskCollection<DeliveryTask>;
  readonly longestWait: Duration;
  private readonly endpoints = new Map<WebhookEndpointId, Endpoint>();

  constructor(
    documents: DocumentStore,
    live: LiveCollections,
    options: WebhooksOptions,
    private readonly attempts: WebhookAttempts,
    private readonly clock: Clock,
  ) {
    const along = (index: string) => () => ({ index, equals: [] });
    const indexes = { all: 'ready', ofKind: along('ready'), ofLanes: along('lane'), areCovering: true };
    const layout = { ...indexes, kindOf: () => this.kind, laneOf: ({ lane }: DeliveryTask) => lane };
    this.tasks = new TaskCollection(documents, () => live.of(deliveryListProjection), layout);
    this.longestWait = longestRetryWait(options.backoff);
  }

  concurrencyOf(lane: string): number {
    return (this.endpoints.get(lane as WebhookEndpointId)?.pace ?? FULL_PACE).concurrencyLimit;
  }

  start(tasks: readonly DeliveryTask[], places: readonly Place[]): Promise<QueueOutcome>[] {
    const [first] = tasks;
    if (first === undefined) return [];
    const endpointId = first.lane;
    const endpoint = this.endpoints.get(endpointId) ?? new Endpoint();
    this.endpoints.set(endpointId, endpoint);
    endpoint.inFlight += tasks.length;
    const ids = tasks.map(({ id }) => id as WebhookDeliveryId);
    const attempts = this.attempts.attempt(endpointId, ids, this.clock.now());
    return places.map(async (place, n) => {
      try {
        const attempt = await attempts.then((started) => started[n] as Promise<AttemptOutcome>);
        return await this.outcomeOf(attempt, endpoint, place);
      } finally {
        endpoint.inFlight--;
        if (endpoint.inFlight === 0 && endpoint.pace === FULL_PACE) this.endpoints.delete(endpointId);
      }
    });
  }

  giveUp({ id }: DeliveryTask, error: unknown): Promise<void> {
    return this.attempts.recordDeadLetter(id as WebhookDeliveryId, error);
  }

  private async outcomeOf(attempt: AttemptOutcome, endpoint: Endpoint, place: Place): Promise<QueueOutcome> {
    if (typeof attempt === 'string' || 'retryAt' in attempt) return attempt;
    if ('suspendedUntil' in attempt) {
      place.pauseLane(attempt.suspendedUntil - this.clock.now());
      return 'waits';
    }
    endpoint.pace = adjustLimit(endpoint.pace, attempt.isDelivered);
    if (endpoint.pace.pause === 0) place.free();
    await endpoint.record(attempt);
    if (endpoint.pace.pause > 0) await delay(endpoint.pace.pause);
    return 'done';
  }
}
