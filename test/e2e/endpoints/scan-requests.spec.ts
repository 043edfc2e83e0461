import { expect, test } from '@jest/globals';
import { DAY, HOUR } from '#kernel';
import { bodyOf } from '../support/api-client.js';
import { refusedFields } from '../support/exchange.js';
import type { Scan } from '../support/resources.js';
import { startService } from '../support/start-service.js';

// No scheduled scan comes between.
const service = await startService({ env: { SCAN_SCHEDULE_EVERY: '1000d' } });

const jobs = ({ id }: Scan) => service.platform.jobsFor(id);

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

test('a matching retry is 200 with the scan as it is now, and starts nothing (D45)', async () => {
  const agency = await service.agency();
  const { id } = await agency.active();
  const scan = await agency.scan(id, 'k');
  const done = await agency.scanThatIs('completed', scan.id);
  const retry = await agency.api.queueScan(id, 'k');
  expect([retry.outcome, retry.body]).toEqual(['200', done]);
  await service.pass(HOUR);
  expect(await jobs(scan)).toBe(1);
});

test('a replay precedes every gate: paused, ineligible, in progress, limited (D45)', async () => {
  const agency = await service.agency();
  const { id, userId } = await agency.active();
  const replay = async () => (await agency.api.queueScan(id, 'k0')).outcome;
  for (let count = 0; count < 5; count++) {
    const scan = await agency.scan(id, `k${count}`);
    expect(await replay()).toBe('200');
    await agency.scanThatIs('completed', scan.id);
  }
  expect((await agency.api.queueScan(id, 'k5')).outcome).toBe('429 scan_limit_reached');
  expect(await replay()).toBe('200');
  await agency.changeUser(userId, { eligible: false });
  expect(await replay()).toBe('200');
  await agency.api.protect(id, 'paused');
  expect(await replay()).toBe('200');
});

test('a key that was used for another creator is idempotency_conflict, before any gate (D45)', async () => {
  const agency = await service.agency();
  const [one, two] = [await agency.active(), await agency.linked()];
  await agency.scan(one.id, 'k');
  expect((await agency.api.queueScan(two.id, 'k')).outcome).toBe('409 idempotency_conflict');
});

test('another agency may use the same key (D45)', async () => {
  for (const agency of [await service.agency(), await service.agency()]) {
    const { id } = await agency.active();
    expect((await agency.api.queueScan(id, 'shared')).outcome).toBe('202');
  }
});

test('only accepted requests consume a key (D45)', async () => {
  const agency = await service.agency();
  const [one, two] = [await agency.linked(), await agency.linked()];
  expect((await agency.api.queueScan(one.id, 'k')).outcome).toBe('409 creator_not_eligible');
  await agency.api.protect(two.id, 'active');
  expect((await agency.api.queueScan(two.id, 'k')).outcome).toBe('202');
});

test.each([
  ['missing', {}],
  ['empty', { 'idempotency-key': '' }],
  ['blank', { 'idempotency-key': '   ' }],
  ['of 121 characters', { 'idempotency-key': 'k'.repeat(121) }],
  ['repeated', { 'idempotency-key': ['k', 'k'] }],
  ['with a tab in it', { 'idempotency-key': 'a\tb' }],
])('an Idempotency-Key that is %s is 400 (D45)', async (_, headers) => {
  const agency = await service.agency();
  const { id } = await agency.active();
  const refused = await agency.api.write('POST', `/v1/creators/${id}/scans`, {}, headers);
  expect(refusedFields(refused)).toEqual(['Idempotency-Key']);
});

test('keys of 1 and of 120 characters are accepted (D45)', async () => {
  const agency = await service.agency();
  for (const key of ['k', 'k'.repeat(120)]) {
    const { id } = await agency.active();
    expect((await agency.api.queueScan(id, key)).outcome).toBe('202');
  }
});

test.each([[[]], [null], [{ source: 'manual' }], ['{}']])('the body is {}, and not %j (D8)', async (body) => {
  const agency = await service.agency();
  const { id } = await agency.active();
  const refused = await agency.api.write('POST', `/v1/creators/${id}/scans`, body, { 'idempotency-key': 'k' });
  expect(refused.outcome).toBe('400 invalid_request');
});

test('the order of the gates is active, eligible, in progress (D46)', async () => {
  const agency = await service.agency();
  const { id, userId } = await agency.linked({ eligible: true });
  const outcome = async () => (await agency.api.queueScan(id, crypto.randomUUID())).outcome;
  expect(await outcome()).toBe('409 creator_not_eligible');
  await agency.api.protect(id, 'active');
  expect(await outcome()).toBe('202');
  expect(await outcome()).toBe('409 scan_in_progress');
  await agency.changeUser(userId, { entitlement: 'none' });
  expect(await outcome()).toBe('409 creator_not_eligible');
  await agency.changeUser(userId, { entitlement: 'agency_plan' });
  await agency.api.protect(id, 'paused');
  expect(await outcome()).toBe('409 creator_not_eligible');
});

test('the gate of the engine comes before in progress and the limit (D46)', async () => {
  const agency = await service.agency();
  const { id } = await agency.active();
  await agency.scan(id);
  await service.restart({ engine: undefined });
  expect((await agency.api.queueScan(id, 'k')).outcome).toBe('503 svc_engine_not_configured');
  await service.restart();
});

test('as soon as a scan reads as ended the next is accepted (D46)', async () => {
  const agency = await service.agency();
  const { id } = await agency.active();
  const first = await agency.scan(id);
  while (['queued', 'dispatching', 'running'].includes((await agency.api.scan(first.id)).status)) {
    expect((await agency.api.queueScan(id, 'next')).outcome).toBe('409 scan_in_progress');
    await service.pass(1_000);
  }
  expect((await agency.api.queueScan(id, 'next')).outcome).toBe('202');
});

test('a sixth manual scan in a rolling 24 hours is refused with the time to wait (D46)', async () => {
  const agency = await service.agency();
  const { id } = await agency.active();
  const begun = service.clock.now();
  for (let count = 0; count < 5; count++) await agency.scanThatIs('completed', (await agency.scan(id)).id);
  const refused = await agency.api.queueScan(id, 'sixth');
  expect(refused.outcome).toBe('429 scan_limit_reached');
  expect(refused.headers['retry-after']).toBe(String((begun + DAY - service.clock.now()) / 1_000));
  service.clock.advance(begun + DAY - service.clock.now() - 1);
  const stillRefused = await agency.api.queueScan(id, 'sixth');
  expect([stillRefused.outcome, stillRefused.headers['retry-after']]).toEqual(['429 scan_limit_reached', '1']);
  service.clock.advance(1);
  expect((await agency.api.queueScan(id, 'sixth')).outcome).toBe('202');
});

test('ten concurrent requests with one key make one scan, one 202 and one job (D45)', async () => {
  const agency = await service.agency();
  const { id } = await agency.active();
  const answers = await Promise.all(Array.from({ length: 10 }, () => agency.api.queueScan(id, 'k')));
  expect(answers.map(({ outcome }) => outcome).toSorted()).toEqual([...Array(9).fill('200'), '202']);
  const [scan] = answers.map((answer) => bodyOf<Scan>(answer));
  expect(new Set(answers.map((answer) => bodyOf<Scan>(answer).id)).size).toBe(1);
  if (scan) await agency.scanThatIs('completed', scan.id);
  expect(scan && (await jobs(scan))).toBe(1);
});

test('of ten concurrent requests for one creator one is accepted, nine are scan_in_progress (D46)', async () => {
  const agency = await service.agency();
  const { id } = await agency.active();
  const answers = await Promise.all(Array.from({ length: 10 }, (_, at) => agency.api.queueScan(id, `k${at}`)));
  const outcomes = answers.map(({ outcome }) => outcome).toSorted();
  expect(outcomes).toEqual(['202', ...Array(9).fill('409 scan_in_progress')]);
});

test('one key for two creators concurrently makes one scan, and one conflict that is not pending and does not count (D45)', async () => {
  const agency = await service.agency();
  const creators = [await agency.active(), await agency.active()];
  const answers = await Promise.all(creators.map(({ id }) => agency.api.queueScan(id, 'k')));
  expect(answers.map(({ outcome }) => outcome).toSorted()).toEqual(['202', '409 idempotency_conflict']);
  const refused = creators[answers.findIndex(({ status }) => status === 409)];
  for (let count = 0; count < 5; count++) {
    await agency.scanThatIs('completed', (await agency.scan(refused?.id ?? '')).id);
  }
  expect((await agency.api.queueScan(refused?.id ?? '', 'sixth')).outcome).toBe('429 scan_limit_reached');
});
