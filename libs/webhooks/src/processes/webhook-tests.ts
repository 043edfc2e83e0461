import { type AgencyAccess, requirePresentEpoch } from '#agencies';
import { dueContext } from '#jobs';
import { DomainError, type DueHandler, type DueOutcome, type StoredDueItem, type WebhookEndpointId } from '#kernel';
import type { WebhookEndpointRepository } from '../application/webhook-endpoint.repository.js';
import type { WebhookAttempts } from '../delivery/webhook-attempts.js';
import { ping } from '../domain/ping.js';
import { resultOf, type SendResult } from '../domain/send-result.js';
import { recordTest } from '../domain/webhook-endpoint.js';

/** Sends the ping that an operator has requested, once, and records the result. */
export class WebhookTests implements DueHandler {
  readonly kind = 'webhookTest';
  readonly concurrency = 4;

  constructor(
    private readonly endpoints: WebhookEndpointRepository,
    private readonly access: AgencyAccess,
    private readonly attempts: Pick<WebhookAttempts, 'send'>,
  ) {}

  async handle(item: StoredDueItem): Promise<DueOutcome> {
    const loaded = await this.endpoints.load(item.subject as WebhookEndpointId);
    const { state: endpoint, at } = loaded;
    if (endpoint.status === 'unknown' || endpoint.test === null || endpoint.test.result !== null) return 'idle';
    const { testId } = endpoint.test;
    const sendPing = async (): Promise<SendResult> => {
      if (endpoint.status === 'disabled') return { status: null, error: 'endpoint_disabled' };
      try {
        const { binding } = await this.access.verify(endpoint.agencyId);
        requirePresentEpoch(binding, endpoint.epoch);
      } catch (error) {
        if (error instanceof DomainError) return { status: null, error: error.code };
        throw error;
      }
      const { id, body } = ping(testId, endpoint.workspaceId, at);
      return resultOf(await this.attempts.send(endpoint, id, body));
    };
    const result = await sendPing();
    await this.endpoints.update(loaded, dueContext(item), (state) => recordTest(state, testId, result));
    return 'done';
  }
}
