import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { type Place, TaskCollection, type TaskKind } from '#jobs';
import {
  Clock,
  DocumentStore,
  type Duration,
  type Instant,
  LiveCollections,
  type QueueOutcome,
  type WebhookDeliveryId,
  type WebhookEndpointId,
} from '#kernel';
import { adjustLimit, FULL_PACE, type Pace } from '../domain/pace.js';
import { longestRetryWait } from '../domain/retry-wait.js';
import { type DeliveryTask, deliveryListProjection } from '../read-models/delivery-list.js';
import { WebhooksOptions } from '../webhooks.options.js';
import { type AttemptOutcome, WebhookAttempts } from './webhook-attempts.js';

const BATCH_WINDOW: Duration = 40;

/** Records the outcomes of one endpoint's attempts, a failure after the successes that were answered before it. */
export class OutcomeRecording {
  private batch: Promise<void> | undefined;
  private readonly successes = new Set<Promise<void>>();

  /** The order matters because the log shows which outcome came last (D82). */
  async record({ outcome, record }: Extract<AttemptOutcome, { kind: 'sent' }>): Promise<void> {
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

  /** Outcomes of a few milliseconds are recorded together, so that they share one sync to disk. */
  private awaitBatch(): Promise<void> {
    this.batch ??= delay(BATCH_WINDOW).then(() => {
      this.batch = undefined;
    });
    return this.batch;
  }
}

const MAX_TOGETHER = 1_024;

/** What the leader remembers of an endpoint while its deliveries are in flight or fail. */
class Endpoint {
  pace: Pace = FULL_PACE;
  readonly recording = new OutcomeRecording();
  inFlight = 0;
}

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
    const fields = { kindOf: () => this.kind, laneOf: ({ lane }: DeliveryTask) => lane };
    this.tasks = new TaskCollection(documents, () => live.of(deliveryListProjection), indexes, fields);
    this.longestWait = longestRetryWait(options.backoff);
  }

  /** Follows the endpoint's answers (D63). */
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

  isGivenUp(): boolean {
    return false;
  }

  giveUp({ id }: DeliveryTask, error: unknown): Promise<void> {
    return this.attempts.recordDeadLetter(id as WebhookDeliveryId, error);
  }

  private async outcomeOf(attempt: AttemptOutcome, endpoint: Endpoint, place: Place): Promise<QueueOutcome> {
    const now: Instant = this.clock.now();
    switch (attempt.kind) {
      case 'nothing_sent':
        return 'done';
      case 'not_yet':
        return { retryAt: now + attempt.wait };
      case 'suspended':
        place.pauseLane(attempt.until - now);
        return 'waits';
      case 'sent':
        endpoint.pace = adjustLimit(endpoint.pace, attempt.outcome);
        if (endpoint.pace.pause === 0) place.free();
        await endpoint.recording.record(attempt);
        if (endpoint.pace.pause > 0) await delay(endpoint.pace.pause);
        return 'done';
    }
  }
}
