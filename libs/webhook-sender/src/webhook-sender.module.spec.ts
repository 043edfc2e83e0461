import { afterEach, beforeEach, expect, it, test } from '@jest/globals';
import { Global, type INestApplicationContext, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Clock, newId } from '#kernel';
import { FakeClock } from '#testing';
import { WebhookSender } from '#webhooks';
import { Receiver } from './testing/receiver.js';
import { WebhookSenderModule } from './webhook-sender.module.js';

let receiver: Receiver;
let container: INestApplicationContext;
let sender: WebhookSender;

@Global()
@Module({ providers: [{ provide: Clock, useValue: new FakeClock() }], exports: [Clock] })
class ClockModule {}

/** As the service opens it. */
const open = async (targets: 'public' | 'any') => {
  @Module({ imports: [ClockModule, WebhookSenderModule.forRoot(targets)] })
  class Root {}
  container = await NestFactory.createApplicationContext(Root, { logger: false });
  sender = container.get(WebhookSender);
};

beforeEach(async () => {
  receiver = await Receiver.start();
});

afterEach(async () => {
  await container.close();
  await receiver.close();
});

const sendTo = (url: string) =>
  sender.send({ endpointId: newId('webhookEndpoint'), url, body: Buffer.from('{}'), headers: {} });

test.each([
  ['another scheme and port', (port: number) => `http://127.0.0.1:${port}/`],
  ['a private address', () => 'https://10.0.0.1/'],
])('D59: where targets are public, %s is neither registered nor sent to', async (_what, urlOf) => {
  await open('public');
  const url = urlOf(receiver.port);
  expect(await sender.problem(url)).toEqual(expect.any(String));
  expect(await sendTo(url)).toEqual({ status: null, error: 'target_forbidden' });
  expect(receiver.connections).toBe(0);
});

it('registers and sends to any address for development', async () => {
  await open('any');
  const url = `http://127.0.0.1:${receiver.port}/`;
  expect(await sender.problem(url)).toBeUndefined();
  expect(await sendTo(url)).toEqual({ status: 204, error: null });
});
