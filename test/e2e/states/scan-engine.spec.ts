import { expect, test } from '@jest/globals';
import { HOUR, SECOND } from '#kernel';
import { acceptedScan } from '../support/findings.js';
import { startService } from '../support/start-service.js';

const service = await startService({ env: { SCAN_SCHEDULE_EVERY: '1000d' } });
const { platform } = service;

test('a scan goes from queued over dispatching and running to completed (D47)', async () => {
  const { agency, id } = await acceptedScan(service);
  const accepted = await agency.api.scan(id);
  expect(accepted).toMatchObject({
    status: 'dispatching',
    svc_job_id: expect.stringMatching(/^job_/),
    finished_at: null,
  });
  await platform.changeJob(id, { status: 'running' });
  expect(await agency.scanThatIs('running', id)).toEqual({ ...accepted, status: 'running' });
  await platform.changeJob(id, { status: 'completed' });
  const done = await agency.scanThatIs('completed', id);
  expect(done).toMatchObject({ svc_job_id: accepted.svc_job_id, error_code: null });
  expect(done.finished_at).toBeGreaterThan(done.created_at);
});

test.each([
  ['failed', 'blocked_by_host', 'blocked_by_host'],
  ['failed', null, 'engine_rejected'],
  ['cancelled', 'operator', 'operator'],
  ['cancelled', null, null],
])('a job that is %s with %s ends the scan so, with %s (D47, D48)', async (status, error_code, shown) => {
  const { agency, id } = await acceptedScan(service);
  await platform.changeJob(id, { status, error_code });
  expect(await agency.scanThatIs(status, id)).toMatchObject({ error_code: shown, finished_at: expect.any(Number) });
  expect(await platform.jobsFor(id)).toBe(1);
});

test.each([
  ['engine_rejected', 'engine_rejected'],
  ['nothing_to_scan', 'nothing_to_scan'],
  ['something_new', 'engine_rejected'],
])('an order refused with 422 %s is failed with %s (D47, D48)', async (code, shown) => {
  const agency = await service.agency();
  const { id: creatorId } = await agency.active();
  await platform.fault({ operation: 'dispatchScan', kind: 'refuse', status: 422, code });
  const { id } = await agency.scan(creatorId);
  expect(await agency.scanThatIs('failed', id)).toMatchObject({ error_code: shown, svc_job_id: null });
  await platform.heal();
  await service.pass(HOUR);
  expect([await platform.jobsFor(id), (await platform.calls('dispatchScan', id)).length]).toEqual([0, 1]);
});

test('a creator without profiles has nothing to scan', async () => {
  const agency = await service.agency();
  const { id: creatorId } = await agency.active({ profiles: [] });
  const { id } = await agency.scan(creatorId);
  expect(await agency.scanThatIs('failed', id)).toMatchObject({ error_code: 'nothing_to_scan' });
});

test('pausing cancels a scan that is still queued, before it is answered, and it is never dispatched (D46, D47)', async () => {
  const agency = await service.agency();
  const { id: creatorId } = await agency.active();
  await service.whileNothingIsDone(async () => {
    const { id } = await agency.scan(creatorId);
    expect((await agency.api.protect(creatorId, 'paused')).outcome).toBe('200');
    expect(await agency.api.scan(id)).toMatchObject({
      status: 'cancelled',
      error_code: 'protection_paused',
      svc_job_id: null,
      finished_at: service.clock.now(),
    });
    expect((await agency.api.protect(creatorId, 'active')).outcome).toBe('200');
    expect((await agency.api.queueScan(creatorId, 'next')).outcome).toBe('202');
    expect(await platform.calls('dispatchScan', id)).toEqual([]);
  });
  await service.pass(SECOND);
  expect(await platform.jobsOf((await agency.api.creator(creatorId)).svc_user_id ?? '')).toHaveLength(1);
});

test('pausing does not undo a scan that was dispatched', async () => {
  const { agency, creator, id } = await acceptedScan(service);
  expect((await agency.api.protect(creator.id, 'paused')).outcome).toBe('200');
  expect(await agency.api.scan(id)).toMatchObject({ status: 'dispatching' });
  await platform.changeJob(id, { status: 'completed' });
  await agency.scanThatIs('completed', id);
});

test('while the agency is denied nothing is dispatched; afterwards dispatching continues (D19)', async () => {
  const { agency, id } = await acceptedScan(service);
  await agency.change({ kyc_status: 'pending' });
  await platform.changeJob(id, { status: 'completed' });
  const polls = (await platform.calls('getScanJob', id)).length;
  await service.pass(30 * SECOND);
  expect((await platform.calls('getScanJob', id)).length).toBe(polls);
  await agency.change({ kyc_status: 'approved' });
  await agency.scanThatIs('completed', id);
});

test('each handle is searched with its first two usable aliases (D34)', async () => {
  const agency = await service.agency();
  const aliases = ['I', 'x'.repeat(61), 'Иви', 'IVY', 'Ivy Vale', 'Ivy V', 'Vale'];
  const profiles = [
    { platform: 'x', username: 'ivy' },
    { platform: 'fansly', username: 'vale' },
  ];
  const { id: creatorId, userId } = await agency.active({ aliases, profiles });
  const { id } = await agency.scan(creatorId);
  await agency.scanThatIs('completed', id);
  const [job] = await platform.jobsOf(userId);
  expect(job?.handles).toEqual([
    { platform: 'x', username: 'ivy', variants: ['Ivy Vale', 'Ivy V'] },
    { platform: 'fansly', username: 'vale', variants: ['IVY', 'Ivy Vale'] },
  ]);
});
