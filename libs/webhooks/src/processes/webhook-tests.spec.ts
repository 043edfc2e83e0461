import { beforeEach, expect, it } from '@jest/globals';
import { aService, claimed, contextOf, type Service } from '../../../contexts/src/service.fixtures.js';
import { WebhookEndpointRepository } from '../application/webhook-endpoint.repository.js';
import type { WebhookEndpointEvent } from '../domain/webhook-endpoint.events.js';
import { webhookEndpointDecider } from '../domain/webhook-endpoint.js';
import { endpointId, registered } from '../webhook.fixtures.js';
import { WebhookTests } from './webhook-tests.js';

const testId = '0a000000-0000-4000-8000-000000000009';
const requested: WebhookEndpointEvent = {
  type: 'webhookEndpoint.testRequested.v1',
  data: { endpointId, testId },
};
const tested: WebhookEndpointEvent = {
  type: 'webhookEndpoint.tested.v1',
  data: { endpointId, testId, status: 200, error: null },
};

let service: Service;
let sent: string[];
beforeEach(async () => {
  service = await aService();
  sent = [];
});

const handle = async (past: readonly WebhookEndpointEvent[]) => {
  for (const event of past) {
    await service.runner.run(webhookEndpointDecider, endpointId, contextOf(), () => [event]);
  }
  const send = async (_: unknown, id: string) => {
    sent.push(id);
    return { kind: 'delivered', status: 200 } as const;
  };
  const tests = new WebhookTests(new WebhookEndpointRepository(service.runner), service.access, { send });
  return tests.handle(claimed('webhookTest', endpointId));
};

it('sends the ping that was asked for, and its result moves it on', async () => {
  expect(await handle([registered, requested])).toBe('done');
  expect(sent).toHaveLength(1);
});

it.each([
  ['that nobody knows', []],
  ['of which no test was asked for', [registered]],
  ['whose test has its result', [registered, requested, tested]],
])('has nothing to do for an endpoint %s, until an event says so', async (_, past) => {
  expect(await handle(past)).toBe('idle');
  expect(sent).toEqual([]);
});
