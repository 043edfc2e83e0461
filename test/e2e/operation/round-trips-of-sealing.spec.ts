import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { readConfig } from '#configuration';
import { HOUR, newEventId } from '#kernel';
import { createLogger } from '#observability';
import { LastSeals, Sealing, SealTask } from '#tamper-evidence';
import { EventStoreDbDouble } from '../../eventstoredb-double/double.js';
import { CountedStores } from '../../support/counted-stores.js';
import type { StoreCalls } from '../../support/store-calls.js';
import { TestClock } from '../support/test-clock.js';
import { DocumentedTable, rowOf } from './round-trips/documented-table.js';

const directory = mkdtempSync(join(tmpdir(), 'round-trips-'));
const double = await EventStoreDbDouble.start({ file: join(directory, 'eventstoredb.db') });
const counted = new CountedStores(double.url);
const stores = await counted.open(readConfig({ DATA_DIR: directory }));
const clock = new TestClock();
const table = new DocumentedTable('Sealing');
afterAll(async () => {
  table.write();
  await stores.close();
  await double.stop();
  rmSync(directory, { recursive: true });
});

/** Of a process that has just started. */
const newTask = () => {
  const { storedEvents, masterKeys, sealMemory } = stores;
  const lastSeals = new LastSeals(storedEvents, sealMemory, masterKeys.sealKeys);
  const sealing = new Sealing(storedEvents, masterKeys.sealKeys, undefined, undefined, lastSeals);
  return new SealTask(sealing, clock, createLogger('silent'), lastSeals);
};

const append = async () => {
  const metadata = { at: clock.now(), correlationId: 'r', causationId: null, actor: 'key:test', workspaceId: null };
  const event = { id: newEventId(), type: 'thing.happened.v1', data: {}, metadata };
  await stores.log.append(`thing-${event.id}`, 'none', [event]);
};

/** In this order, each comes about after the ones before. */
const RUNS: Readonly<Record<string, () => Promise<void>>> = {
  'one new event': append,
  'a seal that is due': async () => clock.advance(HOUR),
  'its own seal': async () => undefined,
  'nothing new': async () => undefined,
};

const measured = async (taskOf: () => SealTask): Promise<readonly StoreCalls[]> => {
  counted.steps.length = 0;
  for (const prepare of Object.values(RUNS)) {
    await prepare();
    const task = taskOf();
    await counted.step('sealing', '', () => task.runDue());
  }
  return counted.steps.map(({ calls }) => calls);
};

test('a run of the sealing task', async () => {
  const task = newTask();
  await measured(() => task);
  const warm = await measured(() => task);
  const cold = await measured(newTask);
  const rows = Object.keys(RUNS).map((name, n) => rowOf(`sealing → ${name}`, warm[n] as StoreCalls, cold[n]));
  expect(rows).toEqual(table.expectedFor('sealing', rows));
  expect(table.unmeasured()).toEqual([]);
});
