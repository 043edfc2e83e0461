import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, jest, test } from '@jest/globals';
import type { Creator } from '#client';
import { ALL_PROJECTIONS, LOG_RUNNERS } from '#contexts';
import { HOUR, MissingLog } from '#kernel';
import { ReadModelComparison } from '#projections';
import { eventually } from '#testing';
import { openService } from '../../support/open-service.js';
import type { Agency } from '../support/agency.js';
import { Receiver } from '../support/receiver.js';
import { startService } from '../support/start-service.js';

// The copies are files, so these cases are of the embedded stores in each run.
jest.setTimeout(60_000);

const folder = mkdtempSync(join(tmpdir(), 'documents-of-another-log-'));
const service = await startService({ env: { WEBHOOK_TARGETS: 'any' }, folder });
const { dataDir } = service.services.config;
const other = await startService({ folder: join(folder, 'other') });

const LOG = 'events.db';
const DOCUMENTS = 'documents.db';
const filesOf = (name: string, folder: string) => readdirSync(folder).filter((file) => file.startsWith(name));

/** The file with its write-ahead log, as `cp` copies it. */
const copy = (name: string, from: string, to: string): void => {
  mkdirSync(to, { recursive: true });
  for (const file of filesOf(name, to)) rmSync(join(to, file));
  for (const file of filesOf(name, from)) copyFileSync(join(from, file), join(to, file));
};
const aside = join(folder, 'aside');

const listed = async (agency: Agency) =>
  (await agency.api.got<{ data: Creator[] }>('/v1/creators')).data.map(({ id }) => id).toSorted();

const refusals = async (): Promise<number> => {
  const counted = await service.services.metrics.registry.getSingleMetric('runner_checkpoint_refused_total')?.get();
  return counted?.values.reduce((sum, { value }) => sum + value, 0) ?? 0;
};

/** Checks everything that an active creator leads to: a list, a feed, a delivery and usage. */
const expectWhole = async (agency: Agency, receiver: Receiver, creators: readonly Creator[]): Promise<void> => {
  await service.pass(HOUR);
  await service.quiet();
  // The platform still has the lost ones, so they are found there again, as new creators.
  expect(await listed(agency)).toEqual(expect.arrayContaining(creators.map(({ id }) => id)));
  const published = (await agency.api.events()).map(({ id }) => id);
  const { active_creator_count } = await agency.api.got<{ active_creator_count: number }>('/v1/usage');
  expect(active_creator_count).toBe(creators.length);
  const received = new Set(receiver.events.map(({ id }) => id));
  expect(published.filter((id) => !received.has(id))).toEqual([]);
  const comparison = service.services.app.get(ReadModelComparison, { strict: false });
  expect(await comparison.run(ALL_PROJECTIONS)).toMatchObject({ differences: [] });
};

/** An agency with one active creator, and its receiver of webhooks. */
const opened = async () => {
  const agency = await service.agency();
  const receiver = await Receiver.start();
  await agency.endpoint(receiver.url);
  const ada = await agency.active();
  await service.quiet();
  return { agency, receiver, ada };
};

test('D92: an older log with newer documents: what is written after the restore is listed, published, sent and counted', async () => {
  const { agency, receiver, ada } = await opened();
  await service.restart({}, async () => copy(LOG, dataDir, aside));
  for (let lost = 0; lost < 3; lost++) await agency.active();
  const lostReceiver = await Receiver.start();
  const lostEndpoint = await agency.endpoint(lostReceiver.url);
  await service.quiet();
  await service.restart({}, async () => copy(LOG, aside, dataDir));
  // The leader begins again; the process that starts takes nothing.
  await eventually(async () => expect(await refusals()).toBeGreaterThan(0));
  const zoe = await agency.active();
  await expectWhole(agency, receiver, [ada, zoe]);
  expect((await agency.deliveries()).filter(({ endpointId }) => endpointId === lostEndpoint.id)).toEqual([]);
  await service.restart();
  expect(await refusals()).toBe(0);
});

test('D92: documents of another installation are replaced by those of this log', async () => {
  const { agency, receiver, ada } = await opened();
  const elsewhere = await other.agency();
  await elsewhere.active();
  await other.quiet();
  await other.restart({}, async () => copy(DOCUMENTS, other.services.config.dataDir, aside));
  await service.restart({}, async () => copy(DOCUMENTS, aside, dataDir));
  await eventually(async () => expect(await refusals()).toBe(LOG_RUNNERS.length));
  const zoe = await agency.active();
  await expectWhole(agency, receiver, [ada, zoe]);
});

test('D92: until the read models are rebuilt, lists are refused and not served from the other log', async () => {
  const { agency, ada } = await opened();
  copy(LOG, dataDir, aside);
  await agency.active();
  await service.quiet();
  await service.restart({}, async () => {
    copy(LOG, aside, dataDir);
    // No worker is there to rebuild them.
    const { startApi, close } = await openService(service.services.config, { clock: service.clock });
    const api = await startApi();
    const asked = (path: string) =>
      fetch(`${api.url}${path}`, { headers: { authorization: `Bearer ${agency.api.secret}` } });
    expect((await asked(`/v1/creators/${ada.id}/cases`)).status).toBe(503);
    expect((await asked(`/v1/creators/${ada.id}`)).status).toBe(200);
    await api.stop();
    await close();
  });
  await service.quiet();
  expect((await agency.api.get(`/v1/creators/${ada.id}/cases`)).status).toBe(200);
});

test.each([
  ['deleted', [LOG], 'personal-keys.db'],
  ['deleted together with the keys', [LOG, 'personal-keys.db'], 'documents.db'],
])('D92: with a log that was %s nothing starts that serves or writes', async (_, files, proof) => {
  await opened();
  await service.restart({}, async () => {
    for (const file of files) copy(file, dataDir, aside);
    for (const file of files) for (const part of filesOf(file, dataDir)) rmSync(join(dataDir, part));
    const refused = await openService(service.services.config).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(MissingLog);
    expect(String(refused)).toContain(proof);
    expect(String(refused)).toContain('backup restore --from');
    expect(existsSync(join(dataDir, DOCUMENTS))).toBe(true);
    for (const file of files) copy(file, aside, dataDir);
  });
});
