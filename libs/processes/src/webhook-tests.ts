import { type AgencyAccess, requirePresentEpoch } from '#agencies';
import { type CommandRunner, DomainError, type DueHandler } from '#kernel';
import { ping, recordTest, resultOf, type SendResult, webhookEndpointDecider } from '#webhooks';
import { dueContext } from './due-context.js';
import type { WebhookAttempts } from './webhook-attempts.js';

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
    if (endpoint.status === 'unknown' || endpoint.test === null || endpoint.test.result !== null) return 'moved_on';
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
    return 'moved_on';
  },
});
