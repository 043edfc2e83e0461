import { afterEach, beforeEach, expect, it, test } from '@jest/globals';
import { newId } from '#kernel';
import { FakeClock } from '#testing';
import { Receiver } from './testing/receiver.js';
import { createWebhookSending, type WebhookSending } from './webhook-sending.js';

let receiver: Receiver;
let sending: WebhookSending;

beforeEach(async () => {
  receiver = await Receiver.start();
});

afterEach(async () => {
  await sending.sender.close();
  await receiver.close();
});

const sendTo = (url: string) =>
  sending.sender.send({ endpointId: newId('webhookEndpoint'), url, body: Buffer.from('{}'), headers: {} });

test.each([
  ['another scheme and port', (port: number) => `http://127.0.0.1:${port}/`],
  ['another port', (port: number) => `https://127.0.0.1:${port}/`],
  ['a loopback address', () => 'https://127.0.0.1/'],
  ['a private address', () => 'https://10.0.0.1/'],
])('D59: where targets are public, %s is neither registered nor sent to', async (_what, urlOf) => {
  sending = createWebhookSending('public', new FakeClock());
  const url = urlOf(receiver.port);
  expect(await sending.policy.check(url)).toEqual({ allowed: false, reason: expect.any(String) });
  expect(await sendTo(url)).toEqual({ kind: 'failed', error: 'target_forbidden' });
  expect(receiver.connections).toBe(0);
});

it('registers and sends to any address for development', async () => {
  sending = createWebhookSending('any', new FakeClock());
  const url = `http://127.0.0.1:${receiver.port}/`;
  expect(await sending.policy.check(url)).toEqual({ allowed: true });
  expect(await sendTo(url)).toEqual({ kind: 'delivered', status: 204 });
});
