import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sendToParent, settingsOf } from '../../support/child-process.js';

export interface HookReceiverSettings {
  readonly live: number;
  /** These take what is sent and never answer. */
  readonly dead: number;
}

export interface HookReceiverReady {
  readonly live: readonly string[];
  readonly dead: readonly string[];
}

export interface Arrivals {
  /** Milliseconds from an event's `created_at` to its arrival, in the order of arrival, since last asked. */
  readonly delays: readonly number[];
}

/** Receivers of webhooks, each on its own port, that do nothing with what they get. */
const { live, dead } = await settingsOf<HookReceiverSettings>();
let delays: number[] = [];

const listen = async (isDead: boolean): Promise<string> => {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      if (isDead) return;
      const arrived = Date.now();
      response.writeHead(204).end();
      const [, createdAt] = /"created_at":(\d+)/.exec(Buffer.concat(chunks).toString()) ?? [];
      delays.push(arrived - Number(createdAt));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
};

const listenOn = (count: number, isDead: boolean) => Promise.all(Array.from({ length: count }, () => listen(isDead)));

process.on('message', () => {
  sendToParent({ delays } satisfies Arrivals);
  delays = [];
});
sendToParent({ live: await listenOn(live, false), dead: await listenOn(dead, true) } satisfies HookReceiverReady);
