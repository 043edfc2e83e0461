import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type AllStreamSubscription,
  ANY,
  END,
  EventStoreDBClient,
  eventTypeFilter,
  jsonEvent,
  MaxAppendSizeExceededError,
  NO_STREAM,
  type Position,
  StreamNotFoundError,
  WrongExpectedVersionError,
} from '@eventstore/db-client';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { EventStoreDbDouble } from './double.js';

/** Tests the behavior that only the client reveals: the double has to be as strict as the real server. */

let directory: string;
let double: EventStoreDbDouble;
let client: EventStoreDBClient;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'double-'));
  double = await EventStoreDbDouble.start({ file: join(directory, 'events.db') });
  client = EventStoreDBClient.connectionString(double.url);
});
afterEach(async () => {
  await client.dispose();
  await double.stop();
  rmSync(directory, { recursive: true });
});

const event = (n = 0, type = 'thing') => jsonEvent({ type, data: { n } });

const read = async (stream: string): Promise<number[]> => {
  const revisions: number[] = [];
  for await (const { event: one } of client.readStream(stream)) if (one) revisions.push(Number(one.revision));
  return revisions;
};

test('knows a repeated append under an expected revision, and does not under any', async () => {
  const one = event();
  const first = await client.appendToStream('a-1', one, { expectedRevision: NO_STREAM });
  expect(await client.appendToStream('a-1', one, { expectedRevision: NO_STREAM })).toEqual(first);
  await client.appendToStream('a-1', one, { expectedRevision: ANY });
  expect(await read('a-1')).toEqual([0, 1]);
});

test('refuses another revision, and more than 1 MiB', async () => {
  await client.appendToStream('a-1', [event(), event()]);
  const refused = client.appendToStream('a-1', event(), { expectedRevision: 0n });
  await expect(refused).rejects.toBeInstanceOf(WrongExpectedVersionError);
  await expect(refused).rejects.toMatchObject({ actualVersion: 1n, expectedVersion: 0n });
  const large = (size: number) => jsonEvent({ type: 'large', data: { text: 'x'.repeat(size) } });
  await client.appendToStream('a-2', large(1_000_000));
  await expect(client.appendToStream('a-2', large(1_048_577))).rejects.toBeInstanceOf(MaxAppendSizeExceededError);
  expect(await read('a-2')).toEqual([0]);
});

test('finds no stream that is not there', async () => {
  await expect(read('a-1')).rejects.toBeInstanceOf(StreamNotFoundError);
});

test('appends system events to the log, at positions that are not dense, and keeps all of them', async () => {
  for (let n = 0; n < 20; n++) await client.appendToStream('a-1', event(n));
  const all = async (from: EventStoreDBClient) => {
    const seen: { type: string; position: bigint }[] = [];
    for await (const { event: one } of from.readAll()) {
      if (one?.position) seen.push({ type: one.type, position: one.position.commit });
    }
    return seen;
  };
  const seen = await all(client);
  expect(seen.filter(({ type }) => type === 'thing')).toHaveLength(20);
  expect(seen.filter(({ type }) => type === '$statsCollected').length).toBeGreaterThan(0);
  for (const [index, { position }] of seen.slice(1).entries()) {
    expect(position - (seen[index]?.position ?? 0n)).toBeGreaterThan(1n);
  }
  await double.stop();
  double = await EventStoreDbDouble.start({ file: join(directory, 'events.db') });
  client = EventStoreDBClient.connectionString(double.url);
  expect(await all(client)).toEqual(seen);
});

test('a filtered subscription hears what matches, and how far it is in between', async () => {
  const heard: (number | Position)[] = [];
  let wake: () => void = () => {};
  const until = async (enough: () => boolean) => {
    while (!enough()) await new Promise<void>((resolve) => (wake = resolve));
  };
  const subscription: AllStreamSubscription = client.subscribeToAll({
    fromPosition: END,
    filter: eventTypeFilter({
      prefixes: ['wanted'],
      maxSearchWindow: 1,
      checkpointReached: (_, position) => {
        heard.push(position);
        wake();
      },
    }),
  });
  let caughtUp = false;
  subscription.on('caughtUp', () => {
    caughtUp = true;
    wake();
  });
  subscription.on('data', ({ event: one }) => {
    heard.push(Number(one?.revision));
    wake();
  });
  await until(() => caughtUp);
  const { position } = await client.appendToStream('a-1', event());
  await until(() => heard.length === 1);
  await client.appendToStream('a-1', event(1, 'wanted'));
  await until(() => heard.length === 3);
  expect(heard).toEqual([position, 1, expect.objectContaining({ commit: expect.anything() })]);
  await subscription.unsubscribe();
});

test.each(['lostBefore', 'lostAfter'] as const)('an append meets the fault that is asked for: %s', async (lost) => {
  await client.appendToStream('a-1', event());
  double.faults[lost] = 1;
  await expect(client.appendToStream('a-1', event())).rejects.toMatchObject({ type: 'unavailable' });
  expect(await read('a-1')).toEqual(lost === 'lostAfter' ? [0, 1] : [0]);
});

test('gossips of itself, for those who look for a leader', async () => {
  const seeker = EventStoreDBClient.connectionString(`esdb+discover://127.0.0.1:${double.port}?tls=false`);
  expect((await seeker.appendToStream('a-1', event())).success).toBe(true);
  await seeker.dispose();
});
