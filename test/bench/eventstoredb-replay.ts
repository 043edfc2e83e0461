import { join } from 'node:path';
import { EventStoreDBClient } from '@eventstore/db-client';
import { openEventStoreDbEventLog } from '#event-log';
import { type EventLog, MAX_APPEND_EVENTS } from '#kernel';
import { startEventStoreDbServer } from '../support/eventstoredb-server.js';
import { benchEvent } from './event-log-events.js';
import { middleRound, SCALE } from './figures.js';

const EVENTS = Math.max(5_000, Math.round(100_000 * SCALE));
const ROUNDS = 5;
const EVENTS_PER_PAGE = 1_000;

/** Events a second of a replay in pages, against one reading of all by the client alone, both from the same server. */
export default {
  name: `EventStoreDB: replaying ${EVENTS.toLocaleString('en')} events, against the client alone`,
  wanted: 0.7,
  async run(dir: string) {
    const server = await startEventStoreDbServer(join(dir, 'eventstoredb'));
    const log = await openEventStoreDbEventLog({ url: server.url });
    const client = EventStoreDBClient.connectionString(server.url);
    await fill(log);
    const values: number[] = [];
    const floors: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      floors.push(await perSecond(() => readAll(client)));
      values.push(await perSecond(() => replay(log)));
    }
    await log.close();
    await client.dispose();
    await server.stop();
    return { ...middleRound(values, floors), unit: 'events/s' };
  },
};

async function fill(log: EventLog): Promise<void> {
  for (let n = 0; n < EVENTS; n += MAX_APPEND_EVENTS) {
    const events = Array.from({ length: Math.min(MAX_APPEND_EVENTS, EVENTS - n) }, (_, k) => benchEvent(n + k));
    await log.append(`case-${n}`, 'none', events);
  }
}

async function replay(log: EventLog): Promise<number> {
  let seen = 0;
  for (let after = 0; ; ) {
    const page = await log.readLog({ after, limit: EVENTS_PER_PAGE });
    seen += page.events.length;
    if (page.atEnd) return seen;
    after = page.reached;
  }
}

async function readAll(client: EventStoreDBClient): Promise<number> {
  let seen = 0;
  for await (const { event } of client.readAll()) if (event?.type === 'case.opened.v1') seen++;
  return seen;
}

const perSecond = async (task: () => Promise<number>): Promise<number> => {
  const began = performance.now();
  const seen = await task();
  if (seen !== EVENTS) throw new Error(`${seen} events of ${EVENTS} were seen`);
  return (EVENTS * 1_000) / (performance.now() - began);
};
