import { setTimeout as delay } from 'node:timers/promises';
import { CommandHandler, type ICommandHandler, type IQueryHandler, Query, QueryBus, QueryHandler } from '@nestjs/cqrs';
import { AgencyAccess, requirePresentEpoch } from '#agencies';
import { TaskCommand } from '#jobs';
import {
  Clock,
  DomainError,
  type Duration,
  newEventId,
  SECOND,
  type TaskOutcome,
  type WebhookEndpointId,
} from '#kernel';
import { ping } from '../domain/ping.js';
import { resultOf } from '../domain/send-result.js';
import type { TestResult } from '../domain/webhook-endpoint.events.js';
import { type EndpointTest, type RegisteredEndpoint, recordTest, requestTest } from '../domain/webhook-endpoint.js';
import { EndpointCommand, requirePresentBinding } from './endpoint-commands.js';
import { WebhookEndpointRepository } from './repositories.js';
import { SignedSending } from './signed-sending.js';

/** Requests a ping, which a worker sends; its result will be in the endpoint's `test`. */
export class RequestTest extends EndpointCommand<RegisteredEndpoint> {}

@CommandHandler(RequestTest)
export class RequestTestHandler implements ICommandHandler<RequestTest> {
  constructor(
    private readonly endpoints: WebhookEndpointRepository,
    private readonly queries: QueryBus,
  ) {}

  async execute({ endpointId, context }: RequestTest): Promise<RegisteredEndpoint> {
    const testId = newEventId();
    const endpoint = await this.endpoints.find(endpointId);
    await requirePresentBinding(this.queries, endpoint.state);
    return (await this.endpoints.change(endpoint, context, (state) => requestTest(state, testId))).state;
  }
}

/** Sends the ping that an operator has requested, and records the result. A test that has its result is not repeated. */
export class SendPing extends TaskCommand<WebhookEndpointId> {}

@CommandHandler(SendPing)
export class SendPingHandler implements ICommandHandler<SendPing> {
  constructor(
    private readonly endpoints: WebhookEndpointRepository,
    private readonly access: AgencyAccess,
    private readonly sending: SignedSending,
  ) {}

  async execute({ subject: endpointId, context }: SendPing): Promise<TaskOutcome> {
    const loaded = await this.endpoints.load(endpointId);
    const { state: endpoint } = loaded;
    if (endpoint.status === 'unknown' || endpoint.test === null || endpoint.test.result !== null) return 'idle';
    const { test } = endpoint;
    const result = await this.send(endpoint, test);
    await this.endpoints.update(loaded, context, (state) => recordTest(state, test.testId, result));
    return 'done';
  }

  private async send(endpoint: RegisteredEndpoint, { testId, requestedAt }: EndpointTest): Promise<TestResult> {
    if (endpoint.status === 'disabled') return { status: null, error: 'endpoint_disabled' };
    try {
      const { binding } = await this.access.verify(endpoint.agencyId);
      requirePresentEpoch(binding, endpoint.epoch);
    } catch (error) {
      if (error instanceof DomainError) return { status: null, error: error.code };
      throw error;
    }
    const { id, body } = ping(testId, endpoint.workspaceId, requestedAt);
    const { outcome, timing, headers } = await this.sending.send(endpoint, id, body);
    return { ...resultOf(outcome, timing), headers };
  }
}

/** How long the caller waits for a worker to send the ping; an attempt takes at most five seconds. */
const TIMEOUT: Duration = 10 * SECOND;
const POLL_INTERVAL: Duration = 50;

interface TestReport {
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
