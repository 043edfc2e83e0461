import { type AgencyAccess, requirePresentEpoch } from '#agencies';
import { dueContext } from '#jobs';
import { type CommandRunner, DomainError, type DueHandler } from '#kernel';
import type { WebhookAttempts } from '../delivery/webhook-attempts.js';
import { ping } from '../domain/ping.js';
import { resultOf, type SendResult } from '../domain/send-result.js';
import { recordTest, webhookEndpointDecider } from '../domain/webhook-endpoint.js';

/** Sends the ping that an operator has asked for, once, and records what came of it. */
export const webhookTests = (
  runner: CommandRunner,
  access: AgencyAccess,
  attempts: Pick<WebhookAttempts, 'send'>,
): DueHandler => ({
  kind: 'webhookTest',
  concurrency: 4,
  async handle(item) {
    const { state: endpoint, at } = await runner.load(webhookEndpointDecider, item.subject);
    if (endpoint.status === 'unknown' || endpoint.test === null || endpoint.test.result !== null) return 'idle';
    const { testId } = endpoint.test;
    const sendPing = async (): Promise<SendResult> => {
      if (endpoint.status === 'disabled') return { status: null, error: 'endpoint_disabled' };
      try {
        const { binding } = await access.verify(endpoint.agencyId);
        requirePresentEpoch(binding, endpoint.epoch);
      } catch (error) {
        if (error instanceof DomainError) return { status: null, error: error.code };
        throw error;
      }
      const { id, body } = ping(testId, endpoint.workspaceId, at);
      return resultOf(await attempts.send(endpoint, id, body));
    };
    const result = await sendPing();
    await runner.run(webhookEndpointDecider, item.subject, dueContext(item), (state) =>
      recordTest(state, testId, result),
    );
    return 'done';
  },
});
