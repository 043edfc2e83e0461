import { setTimeout as delay } from 'node:timers/promises';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { parse } from 'uuid';
import { AgencyAccess, requirePresentEpoch } from '#agencies';
import { TaskCommand } from '#jobs';
import {
  DomainError,
  type Duration,
  type Instant,
  newEventId,
  SECOND,
  type TaskOutcome,
  typeIdOfBytes,
  type WebhookEndpointId,
  type WorkspaceId,
} from '#kernel';
import type { TestResult } from '../domain/webhook-endpoint.events.js';
import { type EndpointTest, type RegisteredEndpoint, recordTest, requestTest } from '../domain/webhook-endpoint.js';
import { EndpointCommand } from './endpoint-commands.js';
import { WebhookEndpointRepository } from './repositories.js';
import { SignedSending } from './signed-sending.js';

/** The body of a test: an envelope like an event's, of a type that no event has. It is not in the feed. */
export const ping = (testId: string, workspaceId: WorkspaceId, at: Instant): { id: string; body: Buffer } => {
  const id = typeIdOfBytes('event', parse(testId));
  const envelope = { id, type: 'ping', workspace_id: workspaceId, created_at: at, simulated: false, data: {} };
  return { id, body: Buffer.from(JSON.stringify(envelope)) };
};

/** How long the caller waits for a worker to send the ping; an attempt takes at most five seconds. */
const TIMEOUT: Duration = 10 * SECOND;
const POLL_INTERVAL: Duration = 50;

/** Has a worker send a ping. The result is null if none has in time; it will be in the endpoint's `test`. */
export class TestEndpoint extends EndpointCommand<{ readonly body: string; readonly result: TestResult | null }> {}

@CommandHandler(TestEndpoint)
export class TestEndpointHandler implements ICommandHandler<TestEndpoint> {
  constructor(private readonly endpoints: WebhookEndpointRepository) {}

  async execute({ endpointId, context }: TestEndpoint) {
    const deadline = performance.now() + TIMEOUT;
    const found = await this.endpoints.findBound(endpointId);
    const endpoint = await this.endpoints.change(found, context, (state) => requestTest(state, newEventId()));
    const { workspaceId, test: requested } = endpoint.state;
    if (requested === null) throw new DomainError('internal_error');
    const { testId, requestedAt } = requested;
    let test: EndpointTest | null = requested;
    while (test?.testId === testId && test.result === null && performance.now() < deadline) {
      await delay(POLL_INTERVAL);
      ({ test } = (await this.endpoints.find(endpointId)).state);
    }
    // A later test has replaced it, so that its own result is no longer there.
    const result = test?.testId === testId ? test.result : null;
    return { body: ping(testId, workspaceId, requestedAt).body.toString(), result };
  }
}

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
    const { result, headers } = await this.sending.send(endpoint, id, body);
    return { ...result, headers };
  }
}
