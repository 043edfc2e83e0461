import { expect, test } from '@jest/globals';
import { HOUR, MINUTE } from '#kernel';
import type { Agency } from '../support/agency.js';
import { startService } from '../support/start-service.js';

const service = await startService();
const { platform } = service;

const last = async (agency: Agency) => (await agency.publishedEvents()).at(-1);

test('the first state of a creator and each change of it is a creator.updated with the full creator (D40)', async () => {
  const agency = await service.agency();
  const { id, userId } = await agency.linked();
  const first = await last(agency);
  expect(first).toMatchObject({ type: 'creator.updated', workspace_id: agency.workspaceId, data: { creator_id: id } });
  await agency.changeUser(userId, { authorization: 'rejected' });
  const creator = await agency.api.creator(id);
  expect(await last(agency)).toMatchObject({ type: 'creator.updated', data: { creator_id: id, creator } });
});

test('the end of a mandate by the clock is a creator.updated that the worker publishes without a read (D40)', async () => {
  const agency = await service.agency();
  const expires_at = new Date(service.clock.now() + HOUR).toISOString();
  const { id } = await agency.linked({ authorization: { approved: true, status: 'approved', expires_at } });
  await service.pass(HOUR);
  expect(await last(agency)).toMatchObject({
    type: 'creator.updated',
    created_at: service.clock.now(),
    data: { creator: { id, eligible: false, authorization: { approved: false } } },
  });
});

test('each step of an invitation is published, and activates nothing', async () => {
  const agency = await service.agency();
  const { id } = await agency.invited();
  await platform.control('PATCH', `/invitations/${id}`, { status: 'accepted' });
  await agency.api.creator(id);
  await platform.control('PATCH', `/invitations/${id}`, { status: 'onboarded', eligible: true });
  await agency.api.creator(id);
  await service.quiet();
  const steps = (await agency.publishedEvents()).map(({ type, data }) => [type, data.creator?.enrollment_status]);
  expect(new Set(steps.map(([type]) => type))).toEqual(new Set(['creator.updated']));
  expect([...new Set(steps.map(([, status]) => status))]).toEqual(['invited', 'pending_onboarding', 'linked']);
  expect((await last(agency))?.data.creator).toMatchObject({ identity_sync_pending: false, eligible: true });
});

test('protection is published with scope and reason, and is no creator.updated (D40, D43)', async () => {
  const agency = await service.agency();
  const { id } = await agency.active();
  await agency.api.protect(id, 'paused');
  const events = await agency.publishedEvents();
  expect(events.map(({ type }) => type).slice(-2)).toEqual(['protection.activated', 'protection.paused']);
  const data = { creator_id: id, scope: 'api_scan_schedule', reason: 'api_request' };
  expect(events.slice(-2).map((event) => event.data)).toEqual([
    { ...data, status: 'active' },
    { ...data, status: 'paused' },
  ]);
  expect(events.filter(({ type }) => type === 'creator.updated')).toHaveLength(1);
});

test('scan.completed comes after the findings of the scan, with its job (D48)', async () => {
  const agency = await service.agency();
  const { id } = await agency.active();
  const scan = await agency.scan(id);
  const { svc_job_id } = await agency.scanThatIs('completed', scan.id);
  const events = await agency.publishedEvents();
  expect(events.map(({ type }) => type).slice(-3)).toEqual(['case.created', 'case.created', 'scan.completed']);
  expect(events.at(-1)?.data).toEqual({ creator_id: id, scan_id: scan.id, svc_job_id });
});

test('scan.failed has the reason; a cancelled scan has no event', async () => {
  const agency = await service.agency();
  const { id } = await agency.active({ profiles: [] });
  const scan = await agency.scan(id);
  await agency.scanThatIs('failed', scan.id);
  expect((await last(agency))?.data).toEqual({
    creator_id: id,
    scan_id: scan.id,
    status: 'failed',
    reason: 'nothing_to_scan',
  });
});

test('case events carry the case as it was then; case.deleted only says which (event types)', async () => {
  const agency = await service.agency();
  const { id, userId } = await agency.linked();
  const [leakId = ''] = await agency.leaks(userId, 1);
  const [created] = await agency.api.cases(id);
  await service.pass(MINUTE);
  await platform.control('PATCH', `/leaks/${leakId}`, { status_code: 'removed' });
  const [updated] = await agency.api.cases(id);
  await service.pass(MINUTE);
  await platform.control('DELETE', `/leaks/${leakId}`);
  await service.pass(HOUR);
  const about = { creator_id: id, case_id: created?.id };
  expect((await agency.publishedEvents()).slice(-3).map(({ type, data }) => [type, data])).toEqual([
    ['case.created', { ...about, status: 'Detected', case: created }],
    ['case.updated', { ...about, status: 'Removed', case: updated }],
    ['case.deleted', about],
  ]);
});
