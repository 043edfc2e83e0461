import type { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, test } from '@jest/globals';
import { Global, type INestApplicationContext, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Clock, newId } from '#kernel';
import { FakeClock } from '#testing';
import { TargetPolicy, WebhookSender } from '#webhooks';
import { answering, type Reaction, type Received, Receiver } from './testing/receiver.js';
import { WebhookSenderModule } from './webhook-sender.module.js';

let receiver: Receiver;
let container: INestApplicationContext;
let sender: WebhookSender;
let policy: TargetPolicy;

@Global()
@Module({ providers: [{ provide: Clock, useValue: new FakeClock() }], exports: [Clock] })
class ClockModule {}

/** As the service opens it. */
const open = async (targets: 'public' | 'any') => {
  @Module({ imports: [ClockModule, WebhookSenderModule.forRoot(targets)] })
  class Root {}
  container = await NestFactory.createApplicationContext(Root, { logger: false });
  sender = container.get(WebhookSender);
  policy = container.get(TargetPolicy);
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
  ['another port', (port: number) => `https://127.0.0.1:${port}/`],
  ['a loopback address', () => 'https://127.0.0.1/'],
  ['a private address', () => 'https://10.0.0.1/'],
])('D59: where targets are public, %s is neither registered nor sent to', async (_what, urlOf) => {
  await open('public');
  const url = urlOf(receiver.port);
  expect(await policy.problem(url)).toEqual(expect.any(String));
  expect(await sendTo(url)).toEqual({ kind: 'failed', error: 'target_forbidden' });
  expect(receiver.connections).toBe(0);
});

it('registers and sends to any address for development', async () => {
  await open('any');
  const url = `http://127.0.0.1:${receiver.port}/`;
  expect(await policy.problem(url)).toBeUndefined();
  expect(await sendTo(url)).toEqual({ kind: 'delivered', status: 204 });
});

describe('a kept connection that the receiver closes (D60)', () => {
  const endpointId = newId('webhookEndpoint');
  const send = () => {
    const url = `http://127.0.0.1:${receiver.port}/`;
    return sender.send({
      endpointId,
      url,
      body: Buffer.from(`{"a":${receiver.requests.length}}`),
      headers: {},
    });
  };
  const NO_CONTENT = answering('HTTP/1.1 204 No Content', '');
  /** What came over a connection that had served a request before. */
  let met: Received[];

  /** The first request that comes over a kept connection meets this, and the requests after it meet `later`. */
  const keptMeets = (reaction: Reaction, later: Reaction = NO_CONTENT) => {
    const used = new WeakSet<Socket>();
    met = [];
    receiver.reaction = (socket, received) => {
      if (met.length > 0) return later(socket, received);
      if (!used.has(socket)) {
        used.add(socket);
        return NO_CONTENT(socket, received);
      }
      met.push(received);
      reaction(socket, received);
    };
  };

  /** Sends until a kept connection was used; the outcome of that request, and the bodies that followed it. */
  const sendUntilMet = async () => {
    for (;;) {
      const outcome = await send();
      if (met.length === 0) continue;
      const [first] = met;
      return { outcome, sent: receiver.requests.filter(({ body }) => first?.body.equals(body)).length };
    }
  };

  beforeEach(async () => {
    await open('any');
  });

  it.each<[string, Reaction]>([
    ['ends', (socket) => socket.end()],
    ['is reset', (socket) => socket.resetAndDestroy()],
    ['is destroyed', (socket) => socket.destroy()],
  ])('%s before a byte of the answer: the same request is sent once more on a new connection', async (_, reaction) => {
    keptMeets(reaction);
    const before = receiver.connections;
    expect(await sendUntilMet()).toEqual({ outcome: { kind: 'delivered', status: 204 }, sent: 2 });
    expect(receiver.requests.at(-1)?.head).toEqual(met[0]?.head);
    expect(receiver.connections).toBeGreaterThanOrEqual(before + 2);
  });

  it('gets one repeat: a new connection that breaks is the outcome', async () => {
    const ending: Reaction = (socket) => socket.end();
    keptMeets(ending, ending);
    expect(await sendUntilMet()).toEqual({ outcome: { kind: 'failed', error: 'connection_failed' }, sent: 2 });
  });

  it.each<[string, Reaction]>([
    ['a part of the status line', (socket) => socket.end('HTTP/1.1 20')],
    ['an interim answer', (socket) => socket.end('HTTP/1.1 103 Early Hints\r\n\r\n')],
  ])('gets no repeat after %s', async (_, reaction) => {
    keptMeets(reaction);
    expect(await sendUntilMet()).toEqual({ outcome: { kind: 'failed', error: 'connection_failed' }, sent: 1 });
  });

  it('is not the first connection: if that one breaks, nothing is sent again', async () => {
    receiver.reaction = (socket) => socket.end();
    expect(await send()).toEqual({ kind: 'failed', error: 'connection_failed' });
    expect(receiver.requests).toHaveLength(1);
  });
});
