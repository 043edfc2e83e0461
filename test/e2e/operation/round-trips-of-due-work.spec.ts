import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { TASK_KINDS } from '#contexts';
import { EventStoreDbDouble } from '../../eventstoredb-double/double.js';
import { CountedStores } from '../../support/counted-stores.js';
import type { StoreCalls } from '../../support/store-calls.js';
import { startService } from '../support/start-service.js';
import { DocumentedTable, rowOf } from './round-trips/documented-table.js';
import { DUE_WORK, type DueScenario } from './round-trips/due-work.js';

const directory = mkdtempSync(join(tmpdir(), 'round-trips-'));
const double = await EventStoreDbDouble.start({ file: join(directory, 'eventstoredb.db') });
const counted = new CountedStores(double.url);
const service = await startService({
  counted,
  env: { CACHES: 'on', VERIFICATION_CACHE: '5s', WEBHOOK_TARGETS: 'any' },
});
const table = new DocumentedTable('Due work');
afterAll(async () => {
  table.write();
  await double.stop();
  rmSync(directory, { recursive: true });
});

/** The steps of the item, in a process that has dealt with its subject or has just started. */
const measured = async (
  { kind, prepare }: DueScenario,
  { isCold }: { readonly isCold: boolean },
): Promise<readonly StoreCalls[]> => {
  const agency = await service.agency();
  const { subject, run } = await prepare(agency, service);
  await service.quiet();
  if (isCold) await service.restart();
  await service.quiet();
  counted.steps.length = 0;
  await run();
  await service.quiet();
  return counted.steps.filter((step) => step.kind === kind && step.subject === subject()).map(({ calls }) => calls);
};

test.each(DUE_WORK.map((scenario) => [scenario.kind, scenario] as const))('%s', async (kind, scenario) => {
  const warm = await measured(scenario, { isCold: false });
  const cold = await measured(scenario, { isCold: true });
  expect([warm.length, cold.length]).toEqual([scenario.steps.length, scenario.steps.length]);
  const rows = warm.map((calls, n) => rowOf(`${kind} → ${scenario.steps[n]}`, calls, cold[n]));
  expect(rows).toEqual(table.expectedFor(kind, rows));
});

test('every kind of due work has its rows, and no row is left over', () => {
  // A statement reads the whole log, whose pages are not counted.
  const kinds = [...DUE_WORK.map(({ kind }) => kind), 'usageStatement'];
  expect(TASK_KINDS.filter((kind) => !kinds.includes(kind))).toEqual([]);
  expect(table.unmeasured()).toEqual([]);
});
