import { beforeEach, expect, it } from '@jest/globals';
import { eventually, type FakeSender } from '#testing';
import { given } from '../../../testing/src/test-ports.module.js';
import { contextOf, type TestedContext, testedContext } from '../../../testing/src/tested-context.js';
import type { WebhookEndpointEvent } from '../domain/webhook-endpoint.events.js';
import { webhookEndpointDecider } from '../domain/webhook-endpoint.js';
import { endpointId, registration } from '../webhook.fixtures.js';
import { WebhooksModule } from '../webhooks.module.js';
import { SendPing, TestEndpoint } from './endpoint-test.js';
import { SecretCipher } from './secret-cipher.js';

const secretKey = Buffer.alloc(32, 1);
const cipher = new SecretCipher({ current: secretKey, all: [secretKey] });
const testId = '0a000000-0000-4000-8000-000000000009';
const registered: WebhookEndpointEvent = {
  type: 'webhookEndpoint.registered.v2',
  data: { ...registration, encryptedSecret: cipher.encrypt(registration, 'whsec_1') },
};
const requested: WebhookEndpointEvent = { type: 'webhookEndpoint.testRequested.v1', data: { endpointId, testId } };
const tested: WebhookEndpointEvent = {
  type: 'webhookEndpoint.tested.v1',
  data: { endpointId, testId, status: 200, error: null },
};

let service: TestedContext;
let sender: FakeSender;
beforeEach(async () => {
  service = await testedContext([WebhooksModule], [given(SecretCipher, cipher)]);
  ({ sender } = service);
});

const endpointDid = (event: WebhookEndpointEvent) =>
  service.runner.run(webhookEndpointDecider, endpointId, contextOf(), () => [event]);
const sendPing = async (past: readonly WebhookEndpointEvent[]) => {
  for (const event of past) await endpointDid(event);
  return service.commands.execute(new SendPing(endpointId, contextOf()));
};

it('sends the ping that was requested, and records its result', async () => {
  await endpointDid(registered);
  const answer = service.commands.execute(new TestEndpoint(endpointId, contextOf()));
  await eventually(async () => (await sendPing([])) === 'done');
  expect(sender.requests.map(({ url }) => url)).toEqual([registration.url]);
  const { state } = await service.runner.load(webhookEndpointDecider, endpointId);
  const [{ headers, body }] = sender.requests as [FakeSender['requests'][number]];
  const result = { status: 204, error: null, sentAt: service.clock.now(), ms: expect.any(Number), headers };
  expect(state).toMatchObject({ test: { result } });
  expect(await answer).toEqual({ body: body.toString(), result });
});

it.each([
  ['that nobody knows', []],
  ['of which no test was asked for', [registered]],
  ['whose test has its result', [registered, requested, tested]],
])('sends nothing to an endpoint %s', async (_, past) => {
  expect(await sendPing(past)).toBe('idle');
  expect(sender.requests).toEqual([]);
});
