import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  ANY,
  EventStoreDBClient,
  jsonEvent,
  MaxAppendSizeExceededError,
  NO_STREAM,
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

test('gossips of itself, for those who look for a leader', async () => {
  const seeker = EventStoreDBClient.connectionString(`esdb+discover://127.0.0.1:${double.port}?tls=false`);
  expect((await seeker.appendToStream('a-1', event())).success).toBe(true);
  await seeker.dispose();
});
