import { expect, test } from '@jest/globals';
import { HOUR, SECOND } from '#kernel';
import { acceptedScan } from '../support/findings.js';
import { GIVEN_UP_AFTER } from '../support/service.js';
import { startService } from '../support/start-service.js';
import { UNKNOWN_OUTCOMES } from '../support/unknown-outcomes.js';

const service = await startService({ platformHangs: true, env: { SCAN_SCHEDULE_EVERY: '1000d' } });
const { platform } = service;

test.each([...UNKNOWN_OUTCOMES, ['a refusal other than 422', { kind: 'refuse', status: 409, code: 'busy' }]] as const)(
  'dispatching, %s: uncertain, then reconciled and completed with one job (D47)',
  async (_, fault) => {
    const agency = await service.agency();
    const { id: creatorId } = await agency.active();
    await platform.fault({ operation: 'dispatchScan', ...fault });
    const { id } = await agency.scan(creatorId);
    await agency.scanThatIs('uncertain', id);
    expect((await agency.api.queueScan(creatorId, 'other')).outcome).toBe('409 scan_in_progress');
    await platform.heal();
    await agency.scanThatIs('completed', id);
    expect(await platform.jobsFor(id)).toBe(1);
  },
);

test.each([
  ['findScanJob', 'status'],
  ['findScanJob', 'wrong_shape'],
  ['findScanJob', 'close_before'],
  ['findScanJob', 'broken_json'],
  ['listLeaks', 'status'],
])(
  '%s failing with %s holds an uncertain scan up, and it completes afterwards with one job',
  async (operation, kind) => {
    const agency = await service.agency();
    const { id: creatorId } = await agency.active();
    await platform.fault({ operation: 'dispatchScan', kind: 'close_after', times: 1 });
    await platform.fault({ operation, kind });
    const { id } = await agency.scan(creatorId);
    for (let step = 0; step < 8; step++) await service.pass(SECOND);
    expect(['uncertain', 'dispatching', 'running']).toContain((await agency.api.scan(id)).status);
    await platform.heal();
    await agency.scanThatIs('completed', id);
    expect(await platform.jobsFor(id)).toBe(1);
  },
);

test.each(['status', 'close_before', 'broken_json', 'wrong_shape', 'hang'])(
  'a job that cannot be asked for by its id (%s) is found by its reference, and the scan completes (D47)',
  async (kind) => {
    const { agency, id } = await acceptedScan(service);
    await platform.fault({ operation: 'getScanJob', kind, match: { reference: id } });
    await platform.changeJob(id, { status: 'completed' });
    await agency.scanThatIs('completed', id);
    expect(await platform.jobsFor(id)).toBe(1);
  },
);

test('a scan is complete only when its findings can be read (D48)', async () => {
  const { agency, creator, id } = await acceptedScan(service);
  await platform.fault({ operation: 'listLeaks', kind: 'status', match: { agency_id: agency.id } });
  await platform.changeJob(id, { status: 'completed', leaks_per_handle: 3 });
  await agency.scanThatIs('running', id);
  await platform.heal();
  await agency.scanThatIs('completed', id);
  const cases = await agency.api.cases(creator.id);
  expect(cases).toHaveLength(3);
  expect(cases.every(({ scan_id, source }) => scan_id === id && source === 'api_scan')).toBe(true);
});

test('a job that vanished makes the scan uncertain; it is looked up, not started again, and the scan fails after 72 hours (D47)', async () => {
  const { agency, creator, id } = await acceptedScan(service);
  await platform.control('DELETE', `/scan-jobs/${id}?forget=true`);
  expect(await agency.scanThatIs('uncertain', id)).toMatchObject({ svc_job_id: expect.any(String) });
  for (let day = 0; day < 2; day++) await service.pass(24 * HOUR);
  expect((await agency.api.scan(id)).status).toBe('uncertain');
  await service.pass(24 * HOUR);
  expect(await agency.scanThatIs('failed', id)).toMatchObject({ error_code: 'outcome_unknown' });
  expect(await platform.jobsFor(id)).toBe(1);
  expect((await agency.api.queueScan(creator.id, 'next')).outcome).toBe('202');
});

test('an uncertain scan of a creator paused since then is cancelled after two lookups that find nothing (D47)', async () => {
  const agency = await service.agency();
  const { id: creatorId } = await agency.active();
  await platform.fault({ operation: 'dispatchScan', kind: 'close_before' });
  const { id } = await agency.scan(creatorId);
  await agency.scanThatIs('uncertain', id);
  await agency.api.protect(creatorId, 'paused');
  await platform.heal();
  expect(await agency.scanThatIs('cancelled', id)).toMatchObject({ error_code: 'protection_paused', svc_job_id: null });
  const lookups = (await platform.calls('findScanJob', id)).slice(-2).map(({ started_at }) => started_at);
  expect((lookups[1] ?? 0) - (lookups[0] ?? 0)).toBeGreaterThanOrEqual(GIVEN_UP_AFTER);
  expect(await platform.jobsFor(id)).toBe(0);
});

test('an uncertain scan of a creator paused since then whose job is found is followed (D47)', async () => {
  const agency = await service.agency();
  const { id: creatorId } = await agency.active();
  await platform.fault({ operation: 'dispatchScan', kind: 'close_after' });
  const { id } = await agency.scan(creatorId);
  await agency.scanThatIs('uncertain', id);
  await agency.api.protect(creatorId, 'paused');
  await platform.heal();
  await agency.scanThatIs('completed', id);
  expect(await platform.jobsFor(id)).toBe(1);
});
