import { beforeEach, expect, it } from '@jest/globals';
import { FakeSender } from '#testing';
import { aService, claimed, contextOf, type Service } from '../../../contexts/src/service.fixtures.js';
import { commandBusOf } from '../../../testing/src/buses.js';
import { SecretCipher } from '../application/secret-cipher.js';
import { SendPingHandler } from '../application/send-ping.js';
import { SignedSending } from '../application/signed-sending.js';
import { WebhookEndpointRepository } from '../application/webhook-endpoint.repository.js';
import type { WebhookEndpointEvent } from '../domain/webhook-endpoint.events.js';
import { webhookEndpointDecider } from '../domain/webhook-endpoint.js';
import { endpointId, registration } from '../webhook.fixtures.js';
import { WebhookTests } from './webhook-tests.js';

const secretKey = Buffer.alloc(32, 1);
const cipher = new SecretCipher({ current: secretKey, all: [secretKey] });
const testId = '0a000000-0000-4000-8000-000000000009';
const registered: WebhookEndpointEvent = {
  type: 'webhookEndpoint.registered.v2',
  data: { ...registration, encryptedSecret: cipher.encrypt(registration, 'whsec_1') },
};
const requested: WebhookEndpointEvent = {
  type: 'webhookEndpoint.testRequested.v1',
  data: { endpointId, testId },
};
const tested: WebhookEndpointEvent = {
  type: 'webhookEndpoint.tested.v1',
  data: { endpointId, testId, status: 200, error: null },
};

let service: Service;
let sender: FakeSender;
beforeEach(async () => {
  service = await aService();
  sender = new FakeSender();
});

const handle = async (past: readonly WebhookEndpointEvent[]) => {
  for (const event of past) {
    await service.runner.run(webhookEndpointDecider, endpointId, contextOf(), () => [event]);
  }
  const sending = new SignedSending(sender, cipher, service.clock);
  const handler = new SendPingHandler(new WebhookEndpointRepository(service.runner), service.access, sending);
  return new WebhookTests(commandBusOf(handler)).handle(claimed('webhookTest', endpointId));
};

it('sends the ping that was requested, and records its result', async () => {
  expect(await handle([registered, requested])).toBe('done');
  expect(sender.requests.map(({ url }) => url)).toEqual([registration.url]);
  const { state } = await service.runner.load(webhookEndpointDecider, endpointId);
  expect(state).toMatchObject({ test: { testId, result: { status: 204, error: null } } });
});

it.each([
  ['that nobody knows', []],
  ['of which no test was asked for', [registered]],
  ['whose test has its result', [registered, requested, tested]],
])('has nothing to do for an endpoint %s, until an event says so', async (_, past) => {
  expect(await handle(past)).toBe('idle');
  expect(sender.requests).toEqual([]);
});
