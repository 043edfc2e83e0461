import { join } from 'node:path';
import { EventStoreDBClient } from '@eventstore/db-client';
import { openSqliteDocumentStore } from '#document-store';
import { openEventStoreDbEventLog } from '#event-log';
import { Rebuild, systemClock } from '#kernel';
import { ALL_PROJECTIONS, READ_MODELS, readModelCollections } from '#read-models';
import { startDouble } from './eventstoredb-double.js';
import { middleRound, SCALE } from './figures.js';
import { fillWithHistory } from './history.js';

const EVENTS = Math.max(20_000, Math.round(100_000 * SCALE));
const ROUNDS = 3;

/** Events a second of the log that a rebuild gets through, against one reading of all by the client alone. */
export default {
  name: `EventStoreDB: rebuilding all read models from ${EVENTS.toLocaleString('en')} events, against the client alone`,
  wanted: 0.7,
  async run(dir: string) {
    const double = await startDouble(join(dir, 'events.db'));
    const log = await openEventStoreDbEventLog({ url: double.url });
    const client = EventStoreDBClient.connectionString(double.url);
    const documents = openSqliteDocumentStore({ file: join(dir, 'documents.db') });
    await documents.ensure(await readModelCollections(documents));
    await fillWithHistory(log, EVENTS);
    const rebuild = new Rebuild(READ_MODELS, log, documents, systemClock);
    const values: number[] = [];
    const floors: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      floors.push(await perSecond(() => readAll(client)));
      values.push(await perSecond(() => rebuild.run(ALL_PROJECTIONS)));
    }
    await Promise.all([log.close(), documents.close(), client.dispose()]);
    await double.stop();
    return { ...middleRound(values, floors), unit: 'events/s' };
  },
};

async function readAll(client: EventStoreDBClient): Promise<void> {
  let seen = 0;
  for await (const { event } of client.readAll()) if (event) seen++;
  if (seen < EVENTS) throw new Error(`${seen} events of ${EVENTS} were seen`);
}

const perSecond = async (task: () => Promise<void>): Promise<number> => {
  const began = performance.now();
  await task();
  return (EVENTS * 1_000) / (performance.now() - began);
};
