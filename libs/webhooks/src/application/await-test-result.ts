import { setTimeout as delay } from 'node:timers/promises';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Clock, type Duration, SECOND, type WebhookEndpointId } from '#kernel';
import { ping } from '../domain/ping.js';
import type { TestResult } from '../domain/webhook-endpoint.events.js';
import { WebhookEndpointRepository } from './webhook-endpoint.repository.js';

/** How long the caller waits for a worker to send the ping; an attempt takes at most five seconds. */
const TIMEOUT: Duration = 10 * SECOND;
const POLL_INTERVAL: Duration = 50;

interface TestReport {
  /** What is sent, as text. */
  readonly body: string;
  /** Null without a result in time: no worker has sent it yet. */
  readonly result: TestResult | null;
}

export class AwaitTestResult extends Query<TestReport> {
  constructor(
    readonly endpointId: WebhookEndpointId,
    readonly testId: string,
  ) {
    super();
  }
}

@QueryHandler(AwaitTestResult)
export class AwaitTestResultHandler implements IQueryHandler<AwaitTestResult> {
  constructor(
    private readonly endpoints: WebhookEndpointRepository,
    private readonly clock: Clock,
  ) {}

  async execute({ endpointId, testId }: AwaitTestResult): Promise<TestReport> {
    const deadline = performance.now() + TIMEOUT;
    for (;;) {
      const { test, workspaceId } = (await this.endpoints.find(endpointId)).state;
      // A later test has replaced it, so that its own result is no longer there.
      const isShown = test?.testId === testId;
      const result = isShown ? test.result : null;
      if (result !== null || !isShown || performance.now() > deadline) {
        const { body } = ping(testId, workspaceId, test?.requestedAt ?? this.clock.now());
        return { body: body.toString(), result };
      }
      await delay(POLL_INTERVAL);
    }
  }
}
