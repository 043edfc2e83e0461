import { expect, test } from '@jest/globals';
import { SECOND } from '#kernel';
import { startService } from '../support/start-service.js';

// No scheduled scan comes between.
const service = await startService({ platformHangs: true, env: { SCAN_SCHEDULE_EVERY: '1000d' } });
const { platform } = service;

test('a scan is 202 and queued before it has run', async () => {
  const agency = await service.agency();
  const { id } = await agency.active();
  const queued = await agency.api.queueScan(id, 'k');
  expect([queued.outcome, queued.body]).toEqual([
    '202',
    {
      id: expect.any(String),
      creator_id: id,
      status: 'queued',
      source: 'manual',
      created_at: service.clock.now(),
      finished_at: null,
      error_code: null,
      svc_job_id: null,
      simulated: false,
    },
  ]);
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
