import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { SERVING_RUNNERS } from '#contexts';
import { DASHBOARD_READ_MODELS } from '#projections';
import { EventStoreDbDouble } from '../../eventstoredb-double/double.js';
import { CountedStores } from '../../support/counted-stores.js';
import { StoreCalls } from '../../support/store-calls.js';
import { operationsOf } from '../support/operations.js';
import { Receiver } from '../support/receiver.js';
import type { Creator } from '../support/resources.js';
import { startService } from '../support/start-service.js';
import { DocumentedTable, rowOf } from './round-trips/documented-table.js';
import { type Preparation, REQUESTS } from './round-trips/requests.js';

const directory = mkdtempSync(join(tmpdir(), 'round-trips-'));
const double = await EventStoreDbDouble.start({ file: join(directory, 'eventstoredb.db') });
const counted = new CountedStores(double.url);
const env = { CACHES: 'on', RATE_LIMIT_PER_MINUTE: '100000', VERIFICATION_CACHE: '5s', WEBHOOK_TARGETS: 'any' };
const service = await startService({ counted, env });
const receiver = await Receiver.start();
const table = new DocumentedTable('Requests');
/** The runners that a request has given something to do. */
const reacted = new Set<string>();
afterAll(async () => {
  table.write();
  await double.stop();
  rmSync(directory, { recursive: true });
});

/** The request, and what follows from it, in a process that has dealt with its subject or has just started. */
const measured = async (prepare: Preparation, { isCold }: { readonly isCold: boolean }) => {
  const agency = await service.agency();
  await agency.endpoint(receiver.url);
  const send = await prepare(agency, service);
  await agency.api.get('/v1/me');
  await service.quiet();
  if (isCold) await service.restart();
  await service.quiet();
  counted.reactions.length = 0;
  const { answer, calls } = await counted.request(send);
  expect(answer.status).toBeLessThan(300);
  await service.quiet();
  return { calls, reactions: reactionsTo(String(answer.headers['x-request-id'])) };
};

/** What each reaction asked for in all, to the events of that request and to what followed from them. */
const reactionsTo = (requestId: string): ReadonlyMap<string, StoreCalls> => {
  const sums = new Map<string, StoreCalls>();
  for (const { consumer, correlationId, calls } of counted.reactions) {
    // No answer waits for the dashboard's read models, so how their events come together is up to the machine.
    if (correlationId !== requestId || consumer === DASHBOARD_READ_MODELS) continue;
    const sum = sums.get(consumer) ?? new StoreCalls();
    sum.add(calls);
    if (sum.rounds > 0) sums.set(consumer, sum);
  }
  return new Map([...sums].sort(([one], [other]) => (one < other ? -1 : 1)));
};

test.each(Object.entries(REQUESTS))('%s', async (name, prepare) => {
  const warm = await measured(prepare, { isCold: false });
  const cold = await measured(prepare, { isCold: true });
  for (const consumer of warm.reactions.keys()) reacted.add(consumer);
  const rows = [
    rowOf(name, warm.calls, cold.calls),
    ...[...warm.reactions].map(([consumer, calls]) => rowOf(`${name} → ${consumer}`, calls)),
  ];
  expect(rows).toEqual(table.expectedFor(name, rows));
});

test('every operation has its rows, and no row is left over', async () => {
  const names = Object.keys(REQUESTS).map((name) => name.replace(/ \(.*\)$/, ''));
  const operations = (await operationsOf(service.url)).map(({ name }) => name);
  expect(operations.filter((name) => name.includes(' /v1/') && !names.includes(name))).toEqual([]);
  expect(table.unmeasured()).toEqual([]);
});

test('every runner that follows the log for agencies has a row', () => {
  expect([...reacted].sort()).toEqual([...SERVING_RUNNERS].sort());
});

test('one round of a client asks the log at most 20 times, where it ends included, and appends at most 12 times', async () => {
  const agency = await service.agency();
  await agency.active();
  const body = agency.linkBody(await agency.user());
  await service.quiet();
  // Other questions for the log's end, and pages, belong to no round.
  const otherHeads = () => counted.total.countOf('log reads', 'head') + counted.total.countOf('log reads', 'page');
  const counts = () => [double.answered.streamReads + double.answered.heads - otherHeads(), double.answered.appends];
  const before = counts();
  const { id } = (await agency.api.enroll(body)).body as Creator;
  await service.quiet();
  await agency.api.protect(id, 'active');
  await service.quiet();
  const scan = await agency.scan(id);
  await service.quiet();
  await agency.api.get(`/v1/creators/${id}`);
  await agency.api.get(`/v1/scans/${scan.id}`);
  await agency.api.get('/v1/me');
  await agency.api.get('/v1/events?limit=100');
  await service.quiet();
  const [reads = 0, appends = 0] = counts().map((count, n) => count - (before[n] ?? 0));
  expect(reads).toBeLessThanOrEqual(20);
  expect(appends).toBeLessThanOrEqual(12);
});

test('the server has answered exactly the requests that were counted', async () => {
  await service.quiet();
  const { streamReads, appends } = double.answered;
  expect(counted.total.totalOf('stream reads')).toBe(streamReads);
  expect(counted.total.totalOf('appends')).toBe(appends);
});
