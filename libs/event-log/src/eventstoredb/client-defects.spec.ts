import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EventStoreDBClient, eventTypeFilter, jsonEvent } from '@eventstore/db-client';
import { connectivityState } from '@grpc/grpc-js';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { eventually } from '#testing';
import { EventStoreDbDouble } from '../../../../test/eventstoredb-double/double.js';

/**
 * The defects of the client for whose sake `connection.ts` uses its protected members. When one of these tests fails,
 * the client has been mended: use its own method, and bring docs/adr/0008-eventstoredb-client.md up to date.
 */
let directory: string;
let doubles: EventStoreDbDouble[];
let clients: EventStoreDBClient[];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'client-'));
  doubles = [];
  clients = [];
});
afterEach(async () => {
  for (const client of clients) await client.dispose();
  for (const double of doubles) await double.stop();
  await rm(directory, { recursive: true });
});

const started = async () => {
  const double = await EventStoreDbDouble.start({ file: join(directory, `${doubles.length}.db`) });
  const client = EventStoreDBClient.connectionString(double.url);
  doubles.push(double);
  clients.push(client);
  return { double, client };
};

const event = (type = 'thing') => jsonEvent({ type, data: {} });

test('an append fails when another client loses its connection to another server', async () => {
  const [lost, healthy] = [await started(), await started()];
  // Neither server answers, so that both appends wait.
  for (const { double } of [lost, healthy]) double.faults.unheard = 1;
  let outcome: unknown = 'still waiting';
  const onLost = lost.client.appendToStream('a-1', event());
  healthy.client.appendToStream('b-1', event()).catch((error: unknown) => {
    outcome = error;
  });
  await eventually(() => lost.double.faults.unheard + healthy.double.faults.unheard === 0);
  lost.double.loseConnections();
  await expect(onLost).rejects.toMatchObject({ type: 'unavailable' });
  expect(outcome).toMatchObject({ type: 'unavailable' });
});

test('a read of all events ignores a filter', async () => {
  const { client } = await started();
  await client.appendToStream('a-1', [event('wanted'), event('other')]);
  const options = { filter: eventTypeFilter({ prefixes: ['wanted'] }) };
  const types: string[] = [];
  // @ts-expect-error: its types have no filter either
  for await (const { event: one } of client.readAll(options)) types.push(one?.type ?? '');
  expect(types).toContain('other');
});

test('a client that was disposed of keeps its connection open', async () => {
  const { client } = await started();
  await client.appendToStream('a-1', event());
  // biome-ignore lint/complexity/useLiteralKeys: protected
  const channel = await client['getChannel']();
  await client.dispose();
  expect(channel.getConnectivityState(false)).toBe(connectivityState.READY);
  channel.close();
});
