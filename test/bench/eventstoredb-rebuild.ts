import { join } from 'node:path';
import { EventStoreDBClient } from '@eventstore/db-client';
import { ALL_PROJECTIONS } from '#contexts';
import { openSqliteDocumentStore } from '#document-store';
import { openEventStoreDbEventLog } from '#event-log';
import { byRunner, READ_MODELS, readModelCollections } from '#projections';
import { startEventStoreDbServer } from '../support/eventstoredb-server.js';
import { middleRound, SCALE } from './figures.js';
import { fillWithHistory } from './history.js';
import { ledRebuild } from './led-rebuild.js';

const EVENTS = Math.max(20_000, Math.round(100_000 * SCALE));
const ROUNDS = 3;

/** Events a second of the log that a rebuild gets through, against one reading of all by the client alone. */
export default {
  name: `EventStoreDB: rebuilding all read models from ${EVENTS.toLocaleString('en')} events, against the client alone`,
  wanted: 0.7,
  async run(dir: string) {
    const server = await startEventStoreDbServer(join(dir, 'eventstoredb'));
    const log = await openEventStoreDbEventLog({ url: server.url });
    const client = EventStoreDBClient.connectionString(server.url);
    const documents = openSqliteDocumentStore({ file: join(dir, 'documents.db') });
    await documents.ensure(await readModelCollections(documents, ALL_PROJECTIONS));
    const events = await fillWithHistory(log, EVENTS);
    const views = byRunner(ALL_PROJECTIONS).get(READ_MODELS) ?? [];
    const values: number[] = [];
    const floors: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      floors.push(await perSecond(events, () => readAll(client, events)));
      values.push(await perSecond(events, () => ledRebuild(views, log, documents)));
    }
    await Promise.all([log.close(), documents.close(), client.dispose()]);
    await server.stop();
    return { ...middleRound(values, floors), unit: 'events/s' };
  },
};

/** The server's own events, whose streams begin with `$`, are in `$all` too: a real server and the double write different ones. */
async function readAll(client: EventStoreDBClient, events: number): Promise<void> {
  let seen = 0;
  for await (const { event } of client.readAll()) if (event && !event.streamId.startsWith('$')) seen++;
  if (seen !== events) throw new Error(`${seen} events of ${events} were seen`);
}

const perSecond = async (events: number, task: () => Promise<void>): Promise<number> => {
  const began = performance.now();
  await task();
  return (events * 1_000) / (performance.now() - began);
};
