import { Readable } from 'node:stream';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { expect, test } from '@jest/globals';
import type { Connection } from './connection.js';
import { Subscription } from './subscription.js';

const { ReadEvent, SubscriptionConfirmation } = streams.ReadResp;
const { signal } = new AbortController();

const confirmation = new streams.ReadResp().setConfirmation(new SubscriptionConfirmation());
const eventOf = (bytes: number) => (_: unknown, n: number) => {
  const recorded = new ReadEvent.RecordedEvent().setCommitPosition(String(n + 1)).setData(Buffer.alloc(bytes));
  return new streams.ReadResp().setEvent(new ReadEvent().setEvent(recorded));
};

/** A call of the client on which all of these have come. */
const subscriptionWith = (messages: readonly streams.ReadResp[]) => {
  const call = new Readable({ objectMode: true, highWaterMark: messages.length + 2, read: () => undefined });
  for (const message of [confirmation, ...messages]) call.push(message);
  const calling = { subscribe: async () => Object.assign(call, { cancel: () => call.destroy() }) };
  return Subscription.open(calling as unknown as Connection, new streams.ReadReq(), signal);
};
const lengthsOf = async (subscription: Subscription, count: number) => {
  const lengths: number[] = [];
  for (let read = 0; read < count; read += lengths.at(-1) ?? 0) {
    lengths.push((await subscription.next(1_000, signal)).length);
  }
  subscription.close();
  return lengths;
};

test('ends a page of large events early', async () => {
  const subscription = await subscriptionWith(Array.from({ length: 24 }, eventOf(400_000)));
  expect(await lengthsOf(subscription, 24)).toEqual([11, 11, 2]);
});

test('gives small events on one page', async () => {
  const subscription = await subscriptionWith(Array.from({ length: 24 }, eventOf(400)));
  expect(await lengthsOf(subscription, 24)).toEqual([24]);
});
