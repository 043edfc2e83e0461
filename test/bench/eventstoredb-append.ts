import { join } from 'node:path';
import { EventStoreDBClient, type JSONEventData, jsonEvent, NO_STREAM } from '@eventstore/db-client';
import { openEventStoreDbEventLog } from '#event-log';
import type { ExpectedRevision } from '#kernel';
import { startEventStoreDbServer } from '../support/eventstoredb-server.js';
import { benchEvent } from './event-log-events.js';
import { middleRound, SCALE } from './figures.js';

export const WRITERS = 64;
const ROUNDS = 9;
const APPENDS = Math.max(4, Math.round(40 * SCALE));

export type Append = (
  stream: string,
  expected: ExpectedRevision,
  event: ReturnType<typeof benchEvent>,
) => Promise<number>;

/** Events a second of many writers over the adapter, against the client alone, both on the same server. */
export default {
  name: `EventStoreDB: ${WRITERS} writers appending, against the client alone`,
  wanted: 0.7,
  async run(dir: string) {
    const server = await startEventStoreDbServer(join(dir, 'eventstoredb'));
    const log = await openEventStoreDbEventLog({ url: server.url });
    const client = EventStoreDBClient.connectionString(server.url);
    const overLog: Append = async (stream, expected, event) =>
      (await log.append(`bench-${stream}`, expected, [event])).revision;
    const overClient: Append = async (stream, expected, { id, type, data, metadata }) => {
      const event = jsonEvent({ id, type, data, metadata } as unknown as JSONEventData);
      const expectedRevision = expected === 'none' ? NO_STREAM : BigInt(expected);
      return Number((await client.appendToStream(`bare-${stream}`, event, { expectedRevision })).nextExpectedRevision);
    };
    const values: number[] = [];
    const floors: number[] = [];
    for (const append of [overLog, overClient]) await appendAll(append, 'warm');
    for (let round = 0; round < ROUNDS; round++) {
      floors.push(await appendAll(overClient, String(round)));
      values.push(await appendAll(overLog, String(round)));
    }
    await log.close();
    await client.dispose();
    await server.stop();
    return { ...middleRound(values, floors), unit: 'events/s' };
  },
};

/** Events a second. */
export async function appendAll(append: Append, round: string): Promise<number> {
  const writers = Array.from({ length: WRITERS }, () => Array.from({ length: APPENDS }, (_, n) => benchEvent(n)));
  const began = performance.now();
  await Promise.all(
    writers.map(async (events, writer) => {
      let expected: ExpectedRevision = 'none';
      for (const event of events) expected = await append(`${round}-${writer}`, expected, event);
    }),
  );
  return (WRITERS * APPENDS * 1_000) / (performance.now() - began);
}
