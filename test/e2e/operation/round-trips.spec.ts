import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import type { Creator } from '#client';
import { SERVING_RUNNERS } from '#contexts';
import { DASHBOARD_READ_MODELS } from '#projections';
import { EventStoreDbDouble } from '../../eventstoredb-double/double.js';
import { CountedStores } from '../../support/counted-stores.js';
import { KINDS, StoreCalls } from '../../support/store-calls.js';
import type { Agency } from '../support/agency.js';
import type { Exchange } from '../support/exchange.js';
import { Receiver } from '../support/receiver.js';
import { startService } from '../support/start-service.js';

const directory = mkdtempSync(join(tmpdir(), 'round-trips-'));
const double = await EventStoreDbDouble.start({ file: join(directory, 'eventstoredb.db') });
const counted = new CountedStores(double.url);
const env = { CACHES: 'on', RATE_LIMIT_PER_MINUTE: '100000', VERIFICATION_CACHE: '5s', WEBHOOK_TARGETS: 'any' };
const service = await startService({ counted, env });
const receiver = await Receiver.start();
/** The runners that a request has given something to do. */
const reacted = new Set<string>();
afterAll(async () => {
  const head = documented.slice(0, documented.indexOf(documentedRows[0] ?? ''));
  if (IS_WRITTEN) writeFileSync(PAGE, `${head}${measuredRows.join('\n')}\n`);
  await double.stop();
  rmSync(directory, { recursive: true });
});

const PAGE = new URL('round-trips/README.md', import.meta.url);
const IS_WRITTEN = process.env.WRITE_ROUND_TRIPS === '1';
const documented = readFileSync(PAGE, 'utf8');
/** Below the head of the table, which is the last thing of the page. */
const documentedRows = documented.split('\n').filter((line) => /^\| [A-Z]+ \/v1/.test(line));
const measuredRows: string[] = [];

/** One row; `cold` is the same work in a process that has just started. */
const rowOf = (name: string, calls: StoreCalls, cold?: StoreCalls): string => {
  const cells = [name, String(calls.rounds), ...KINDS.map((kind) => calls.textOf(kind)), cold?.moreThan(calls) ?? ''];
  return `| ${cells.join(' | ')} |`;
};

/** Does what has to be there first, and returns the request that is counted. */
type Preparation = (agency: Agency) => Promise<() => Promise<Exchange>>;

/** The requests of a client's round, and a pause, so that each runner has something to do. */
const REQUESTS: Readonly<Record<string, Preparation>> = {
  'GET /v1/me':
    async ({ api }) =>
    () =>
      api.get('/v1/me'),
  'GET /v1/events': async (agency) => {
    await agency.active();
    return () => agency.api.get('/v1/events?limit=100');
  },
  'POST /v1/creators (link)': async (agency) => {
    const body = agency.linkBody(await agency.user());
    return () => agency.api.enroll(body);
  },
  'GET /v1/creators/{id}': async (agency) => {
    const { id } = await agency.linked();
    return () => agency.api.get(`/v1/creators/${id}`);
  },
  'PUT /v1/creators/{id}/protection (active)': async (agency) => {
    const { id } = await agency.linked();
    return () => agency.api.protect(id, 'active');
  },
  'PUT /v1/creators/{id}/protection (paused)': async (agency) => {
    const { id } = await agency.active();
    return () => agency.api.protect(id, 'paused');
  },
  'POST /v1/creators/{id}/scans': async (agency) => {
    const { id } = await agency.active();
    return () => agency.api.queueScan(id, randomUUID());
  },
  'GET /v1/scans/{id}': async (agency) => {
    const { id } = await agency.scan((await agency.active()).id);
    return () => agency.api.get(`/v1/scans/${id}`);
  },
};

/** The request, and what follows from it, in a process that has dealt with its subject or has just started. */
const measured = async (prepare: Preparation, { isCold }: { readonly isCold: boolean }) => {
  const agency = await service.agency();
  await agency.endpoint(receiver.url);
  const send = await prepare(agency);
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

/** Sums up each reaction's store calls for the events of that request and for those that followed from them. */
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
  measuredRows.push(...rows);
  const expected = documentedRows.filter((row) => row.startsWith(`| ${name} |`) || row.startsWith(`| ${name} →`));
  if (!IS_WRITTEN) expect(rows).toEqual(expected);
});

test('every runner that follows the log for agencies has a row, and no row is left over', () => {
  expect([...reacted].sort()).toEqual([...SERVING_RUNNERS].sort());
  if (!IS_WRITTEN) expect(measuredRows).toEqual(documentedRows);
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
