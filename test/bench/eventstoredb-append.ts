import { join } from 'node:path';
import { EventStoreDBClient, type JSONEventData, jsonEvent, NO_STREAM } from '@eventstore/db-client';
import { openEventStoreDbEventLog } from '#event-log';
import { startEventStoreDbServer } from '../support/eventstoredb-server.js';
import { type Append, appendAll, WRITERS } from './event-log-events.js';
import { middleRound } from './figures.js';

const ROUNDS = 9;

/** Events a second of many writers over the adapter, against the client alone, both on the same server. */
export default {
  name: `EventStoreDB: ${WRITERS} writers appending, against the client alone`,
  wanted: 0.7,
  async run(dir: string) {
    const server = await startEventStoreDbServer(join(dir, 'eventstoredb'));
    const log = await openEventStoreDbEventLog({ url: server.url });
    const client = EventStoreDBClient.connectionString(server.url);
    const overLog: Append = async (stream, expected, event) => (await log.append(stream, expected, [event])).revision;
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
