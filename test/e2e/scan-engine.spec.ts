import { expect, test } from '@jest/globals';
import { HOUR, SECOND } from '#kernel';
import { startService } from './support/start-service.js';

const PROVIDER_TIMEOUT = 500;
const service = await startService({
  env: { PROVIDER_TIMEOUT: `${PROVIDER_TIMEOUT}ms`, SCAN_SCHEDULE_EVERY: '1000d' },
});
const { platform } = service;

const jobs = async (scanId: string) => (await platform.effects()).scan_jobs[scanId] ?? 0;
const changeJob = (scanId: string, change: object) => platform.control('PATCH', `/scan-jobs/${scanId}`, change);

/** A scan whose job the engine has and leaves queued. */
const acceptedScan = async () => {
  await platform.settings({ scan_auto: false });
  const agency = await service.agency();
  const creator = await agency.active();
  const { id } = await agency.scan(creator.id);
  await agency.scanThatIs('dispatching', id);
  await service.quiet();
  await platform.settings({ scan_auto: true });
  return { agency, creator, id };
};

test('a scan goes from queued over dispatching and running to completed (D47)', async () => {
  const { agency, id } = await acceptedScan();
  const accepted = await agency.api.scan(id);
  expect(accepted).toMatchObject({
    status: 'dispatching',
    svc_job_id: expect.stringMatching(/^job_/),
    finished_at: null,
  });
  await changeJob(id, { status: 'running' });
  expect(await agency.scanThatIs('running', id)).toEqual({ ...accepted, status: 'running' });
  await changeJob(id, { status: 'completed' });
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
  const { agency, id } = await acceptedScan();
  await changeJob(id, { status, error_code });
  expect(await agency.scanThatIs(status, id)).toMatchObject({ error_code: shown, finished_at: expect.any(Number) });
  expect(await jobs(id)).toBe(1);
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
  expect([await jobs(id), (await platform.calls('dispatchScan', id)).length]).toEqual([0, 1]);
});

test('a creator without profiles has nothing to scan', async () => {
  const agency = await service.agency();
  const { id: creatorId } = await agency.active({ profiles: [] });
  const { id } = await agency.scan(creatorId);
  expect(await agency.scanThatIs('failed', id)).toMatchObject({ error_code: 'nothing_to_scan' });
});

test.each([
  ['the connection breaks before it', { kind: 'close_before' }],
  ['the connection breaks after it', { kind: 'close_after' }],
  ['503 before it', { kind: 'status', status: 503 }],
  ['500 after it', { kind: 'status', status: 500, effect: 'after' }],
  ['429', { kind: 'status', status: 429 }],
  ['no answer, no effect', { kind: 'hang' }],
  ['no answer, an effect', { kind: 'hang', effect: 'after' }],
  ['half an answer', { kind: 'broken_json' }],
  ['another answer', { kind: 'wrong_shape' }],
  ['a refusal other than 422', { kind: 'refuse', status: 409, code: 'busy' }],
] as const)('dispatching, %s: uncertain, then reconciled and completed with one job (D47)', async (_, fault) => {
  const agency = await service.agency();
  const { id: creatorId } = await agency.active();
  await platform.fault({ operation: 'dispatchScan', ...fault });
  const { id } = await agency.scan(creatorId);
  await agency.scanThatIs('uncertain', id);
  expect((await agency.api.queueScan(creatorId, 'other')).outcome).toBe('409 scan_in_progress');
  await platform.heal();
  await agency.scanThatIs('completed', id);
  expect(await jobs(id)).toBe(1);
});

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
    expect(await jobs(id)).toBe(1);
  },
);

test.each(['status', 'close_before', 'broken_json', 'wrong_shape', 'hang'])(
  'a job that can not be asked for by its id (%s) is found by its reference, and the scan completes (D47)',
  async (kind) => {
    const { agency, id } = await acceptedScan();
    await platform.fault({ operation: 'getScanJob', kind, match: { reference: id } });
    await changeJob(id, { status: 'completed' });
    await agency.scanThatIs('completed', id);
    expect(await jobs(id)).toBe(1);
  },
);

test('a scan is complete only when its findings can be read (D48)', async () => {
  const { agency, creator, id } = await acceptedScan();
  await platform.fault({ operation: 'listLeaks', kind: 'status', match: { agency_id: agency.id } });
  await changeJob(id, { status: 'completed', leaks_per_handle: 3 });
  await agency.scanThatIs('running', id);
  await platform.heal();
  await agency.scanThatIs('completed', id);
  const cases = await agency.api.cases(creator.id);
  expect(cases).toHaveLength(3);
  expect(cases.every(({ scan_id, source }) => scan_id === id && source === 'api_scan')).toBe(true);
});

test('a job that vanished makes the scan uncertain; it is looked for, not started again, and given up after 72 hours (D47)', async () => {
  const { agency, creator, id } = await acceptedScan();
  await platform.control('DELETE', `/scan-jobs/${id}?forget=true`);
  expect(await agency.scanThatIs('uncertain', id)).toMatchObject({ svc_job_id: expect.any(String) });
  for (let day = 0; day < 2; day++) await service.pass(24 * HOUR);
  expect((await agency.api.scan(id)).status).toBe('uncertain');
  await service.pass(24 * HOUR);
  expect(await agency.scanThatIs('failed', id)).toMatchObject({ error_code: 'outcome_unknown' });
  expect(await jobs(id)).toBe(1);
  expect((await agency.api.queueScan(creator.id, 'next')).outcome).toBe('202');
});

test('an uncertain scan of a creator paused meanwhile is cancelled after two lookups that find nothing (D47)', async () => {
  const agency = await service.agency();
  const { id: creatorId } = await agency.active();
  await platform.fault({ operation: 'dispatchScan', kind: 'close_before' });
  const { id } = await agency.scan(creatorId);
  await agency.scanThatIs('uncertain', id);
  await agency.api.protect(creatorId, 'paused');
  await platform.heal();
  expect(await agency.scanThatIs('cancelled', id)).toMatchObject({ error_code: 'protection_paused', svc_job_id: null });
  const lookups = (await platform.calls('findScanJob', id)).slice(-2).map(({ started_at }) => started_at);
  expect((lookups[1] ?? 0) - (lookups[0] ?? 0)).toBeGreaterThanOrEqual(PROVIDER_TIMEOUT);
  expect(await jobs(id)).toBe(0);
});

test('an uncertain scan of a creator paused meanwhile whose job is found is followed (D47)', async () => {
  const agency = await service.agency();
  const { id: creatorId } = await agency.active();
  await platform.fault({ operation: 'dispatchScan', kind: 'close_after' });
  const { id } = await agency.scan(creatorId);
  await agency.scanThatIs('uncertain', id);
  await agency.api.protect(creatorId, 'paused');
  await platform.heal();
  await agency.scanThatIs('completed', id);
  expect(await jobs(id)).toBe(1);
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
  const { agency, creator, id } = await acceptedScan();
  expect((await agency.api.protect(creator.id, 'paused')).outcome).toBe('200');
  expect(await agency.api.scan(id)).toMatchObject({ status: 'dispatching' });
  await changeJob(id, { status: 'completed' });
  await agency.scanThatIs('completed', id);
});

test('while the agency is denied nothing is dispatched; then it goes on (D19)', async () => {
  const agency = await service.agency();
  const { id: creatorId } = await agency.active();
  const { id } = await acceptedScanOf(agency, creatorId);
  await agency.change({ kyc_status: 'pending' });
  await changeJob(id, { status: 'completed' });
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

const acceptedScanOf = async (agency: Awaited<ReturnType<typeof service.agency>>, creatorId: string) => {
  await platform.settings({ scan_auto: false });
  const scan = await agency.scan(creatorId);
  await service.quiet();
  await platform.settings({ scan_auto: true });
  return scan;
};
