import { expect, test } from '@jest/globals';
import { STORED_EVENTS, taskProjection } from '#contexts';
import { HOUR, MINUTE, type StoredTask, taskId, taskOf, UnknownCollection, type WorkspaceId } from '#kernel';
import { LIVE_COLLECTIONS, type LiveCollection } from '#projections';
import { openStores } from '#stores';
import { startService } from '../support/start-service.js';

// Stops in order; that nothing is lost by kill -9 is shown in test/crash.
const service = await startService({ platformHangs: true });
const { platform } = service;

test('every answer is the same after a restart', async () => {
  const agency = await service.agency();
  const { id, userId } = await agency.active();
  await agency.leaks(userId, 3);
  const scan = await agency.scanThatIs('completed', (await agency.scan(id)).id);
  const seen = () =>
    Promise.all([
      agency.api.got('/v1/me'),
      agency.api.creator(id),
      agency.api.roster(),
      agency.api.scan(scan.id),
      agency.api.cases(id),
      agency.api.events(),
    ]);
  const before = await seen();
  await service.restart();
  expect(await seen()).toEqual(before);
});

test('tasks in the shape of an earlier version is rebuilt before any of it starts', async () => {
  const agency = await service.agency();
  const { id: creatorId } = await agency.active();
  const { id } = await service.whileNothingIsDone(() => agency.scan(creatorId));
  const { config } = service.services;
  const former = 'due_work_v1_1';
  await service.restart({}, async () => {
    const stores = await openStores(config, STORED_EVENTS);
    const live: LiveCollection = { id: taskProjection.name, collection: former, version: 1 };
    await stores.documents.ensure([{ name: former, indexes: taskProjection.indexes }]);
    const cause = { id: 'e1', correlationId: 'req_1' };
    const waiting: StoredTask = { ...taskOf('scan', id, agency.workspaceId as WorkspaceId, 0, cause), position: 1 };
    await stores.documents.write([
      { collection: former, put: [waiting] },
      { collection: LIVE_COLLECTIONS.name, put: [live] },
    ]);
    await stores.close();
  });
  await agency.scanThatIs('completed', id);
  // The rebuild has replaced and dropped it.
  const read = service.services.documents.get<StoredTask>(former, taskId('scan', id));
  await expect(read).rejects.toThrow(UnknownCollection);
  expect(await platform.jobsFor(id)).toBe(1);
});

test('a lost document store is rebuilt from the log with the same content, and nothing happens twice', async () => {
  const agency = await service.agency();
  const { id, userId } = await agency.active();
  const invited = await agency.invited();
  const scan = await agency.scanThatIs('completed', (await agency.scan(id)).id);
  const running = await agency.scan(id);
  await service.pass(MINUTE / 60);
  const events = await agency.api.events();
  await service.loseDocuments();
  expect((await agency.api.events()).slice(0, events.length)).toEqual(events);
  expect(await agency.api.scan(scan.id)).toEqual(scan);
  await agency.scanThatIs('completed', running.id);
  await service.pass(HOUR);
  const published = await agency.api.events();
  expect(new Set(published.map((event) => event.id)).size).toBe(published.length);
  expect(published.filter(({ type }) => type === 'case.created')).toHaveLength((await agency.api.cases(id)).length);
  const { scan_jobs, mails, slots } = await platform.effects();
  expect([scan_jobs[scan.id], scan_jobs[running.id], mails[invited.id], slots[userId]]).toEqual([1, 1, 1, 1]);
});
