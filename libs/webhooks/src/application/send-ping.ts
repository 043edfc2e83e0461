import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AgencyAccess, requirePresentEpoch } from '#agencies';
import { DueCommand } from '#jobs';
import { DomainError, type DueOutcome, type WebhookEndpointId } from '#kernel';
import { ping } from '../domain/ping.js';
import { resultOf } from '../domain/send-result.js';
import type { TestResult } from '../domain/webhook-endpoint.events.js';
import { type EndpointTest, type RegisteredEndpoint, recordTest } from '../domain/webhook-endpoint.js';
import { SignedSending } from './signed-sending.js';
import { WebhookEndpointRepository } from './webhook-endpoint.repository.js';

/** Sends the ping that an operator has requested, and records the result. A test that has its result is not repeated. */
export class SendPing extends DueCommand<WebhookEndpointId> {}

@CommandHandler(SendPing)
export class SendPingHandler implements ICommandHandler<SendPing> {
  constructor(
    private readonly endpoints: WebhookEndpointRepository,
    private readonly access: AgencyAccess,
    private readonly sending: SignedSending,
  ) {}

  async execute({ subject: endpointId, context }: SendPing): Promise<DueOutcome> {
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
