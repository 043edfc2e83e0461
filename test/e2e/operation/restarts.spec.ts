import { expect, test } from '@jest/globals';
import { STORED_EVENTS, taskProjection } from '#contexts';
import { HOUR, MINUTE, type StoredTask, taskId, taskOf, UnknownCollection, type WorkspaceId } from '#kernel';
import { LIVE_COLLECTIONS, type LiveCollection } from '#projections';
import { openStores } from '#stores';
import { bodyOf } from '../support/api-client.js';
import type { Creator } from '../support/resources.js';
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

test.each(['dispatching', 'running', 'uncertain'])(
  'a scan that is %s goes on after a restart, with one job',
  async (status) => {
    const agency = await service.agency();
    const { id: creatorId } = await agency.active();
    if (status === 'uncertain') await platform.fault({ operation: 'dispatchScan', kind: 'close_after' });
    const { id } = await agency.scan(creatorId);
    await agency.scanThatIs(status, id);
    await service.restart({}, () => platform.heal());
    await agency.scanThatIs('completed', id);
    expect(await platform.jobsFor(id)).toBe(1);
    expect(await agency.api.cases(creatorId)).toHaveLength(2);
  },
);

test('due work in the shape of an earlier version is rebuilt before any of it starts', async () => {
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

test('a scan whose job finished while the service was down is completed with its findings', async () => {
  const agency = await service.agency();
  const { id: creatorId } = await agency.active();
  const { id } = await agency.scan(creatorId);
  await service.quiet();
  await service.restart({}, async () => service.clock.advance(HOUR));
  await agency.scanThatIs('completed', id);
  expect((await agency.publishedEvents()).at(-1)).toMatchObject({ type: 'scan.completed', data: { scan_id: id } });
});

test('an uncertain invitation is settled after a restart, with one mail', async () => {
  const agency = await service.agency();
  await platform.fault({ operation: 'invite', kind: 'close_after' });
  const { id } = await agency.invited();
  await service.restart({}, () => platform.heal());
  const settled = async () => expect(await agency.api.creator(id)).toMatchObject({ enrollment_status: 'invited' });
  await service.passUntil(settled);
  expect((await platform.effects()).mails[id]).toBe(1);
});

test('an invitee that was onboarded while the service was down is linked, and its identity is written once', async () => {
  const agency = await service.agency();
  const { id } = await agency.invited({ aliases: ['Ivy V.'] });
  let userId = '';
  await service.restart({}, async () => {
    const { user_id } = await platform.control<{ user_id: string }>('POST', `/invitations/${id}/onboard`, {});
    userId = user_id;
  });
  const linked = async () => {
    const { data } = (await agency.api.events()).at(-1) ?? {};
    expect(data?.creator).toMatchObject({ enrollment_status: 'linked', identity_sync_pending: false });
  };
  await service.passUntil(linked, MINUTE);
  await service.restart();
  await service.pass(HOUR);
  expect((await platform.effects()).identity_writes[userId]).toBe(1);
});

test('retries and replays are recognized after a restart', async () => {
  const agency = await service.agency();
  const body = agency.inviteBody();
  const { email_sent: _, ...creator } = bodyOf<Creator>(await agency.api.enroll(body));
  const active = await agency.active();
  const scan = await agency.scan(active.id, 'k');
  await service.restart();
  const retry = await agency.api.enroll(body);
  expect([retry.outcome, retry.body]).toEqual(['200', creator]);
  const replay = await agency.api.queueScan(active.id, 'k');
  expect([replay.outcome, replay.body]).toMatchObject(['200', { id: scan.id }]);
  expect((await agency.api.enroll({ ...body, last_name: 'Oak' })).outcome).toBe('409 external_id_conflict');
});

test('a slot that is still to be released is released after a restart', async () => {
  const agency = await service.agency();
  const { id } = await agency.active();
  await platform.fault({ operation: 'releaseSlot', kind: 'close_before' });
  await agency.api.protect(id, 'paused');
  await service.restart({}, () => platform.heal());
  await service.pass(MINUTE);
  expect((await agency.change({})).occupied_slots).toBe(0);
});

test('an activation that was never settled is abandoned after a restart', async () => {
  const agency = await service.agency();
  const { id } = await agency.linked();
  await platform.fault({ operation: 'occupySlot', kind: 'close_after', times: 1 });
  expect((await agency.api.protect(id, 'active')).outcome).toBe('503 provider_unavailable');
  expect((await agency.change({})).occupied_slots).toBe(1);
  await service.restart();
  await service.pass(MINUTE);
  await service.pass(MINUTE);
  expect((await agency.change({})).occupied_slots).toBe(0);
});

test('a removal that happened while the service was down is observed once', async () => {
  const agency = await service.agency();
  const { id, userId } = await agency.linked();
  const [leakId] = await agency.leaks(userId, 2);
  await agency.api.cases(id);
  await service.pass(MINUTE);
  await service.restart({}, () => platform.control('DELETE', `/leaks/${leakId}`));
  await service.pass(HOUR);
  await service.restart();
  await service.pass(HOUR);
  const types = (await agency.api.events()).map(({ type }) => type);
  expect(types).toEqual(['creator.updated', 'case.created', 'case.created', 'case.deleted']);
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

test('revoked keys stay revoked', async () => {
  const agency = await service.agency();
  const { api, keyId } = await agency.issueKey();
  await agency.revokeKey(keyId);
  await service.restart();
  expect((await api.get('/v1/me')).outcome).toBe('401 unauthorized');
});
