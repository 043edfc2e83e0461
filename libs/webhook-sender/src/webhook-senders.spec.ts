import { FakeClock, FakeSender, Gate } from '#testing';
import { systemResolver } from './checked-addresses.js';
import { describeWebhookSender } from './contract/webhook-sender-contract.js';
import { ANY_TARGETS } from './target-rules.js';
import { answering, Receiver } from './testing/receiver.js';
import { UndiciSender } from './undici-sender.js';

describeWebhookSender('over undici', async () => {
  const receiver = await Receiver.start();
  const url = `http://127.0.0.1:${receiver.port}/`;
  return {
    sender: new UndiciSender({ rules: ANY_TARGETS, resolve: systemResolver, clock: new FakeClock(), timeout: 30_000 }),
    url,
    received: () => receiver.requests.map(({ body }) => body),
    answer: (status, retryAfter) => {
      const wait = retryAfter === undefined ? '' : `\r\nretry-after: ${retryAfter / 1_000}`;
      receiver.reaction = answering(`HTTP/1.1 ${status} Reason${wait}`, '');
    },
    hold: () => {
      const gate = new Gate();
      const answer = receiver.reaction;
      receiver.reaction = (socket, request) => void gate.opened.then(() => answer(socket, request));
      return gate.open;
    },
    disconnect: () => receiver.close(),
    dispose: async () => {
      if (receiver.isListening) await receiver.close();
    },
  };
});

describeWebhookSender('the fake', async () => {
  const sender = new FakeSender();
  return {
    sender,
    url: 'https://hooks.agency.com/',
    received: () => sender.requests.map(({ body }) => body),
    answer: (status, retryAfter) => {
      if (status < 300) sender.answer({ status, error: null });
      else sender.answer({ status, error: 'refused', ...(retryAfter !== undefined && { retryAfter }) });
    },
    hold: () => {
      const gate = new Gate();
      sender.held = gate.opened;
      return gate.open;
    },
    disconnect: async () => sender.answer({ status: null, error: 'connection_failed' }),
    dispose: async () => undefined,
  };
});
