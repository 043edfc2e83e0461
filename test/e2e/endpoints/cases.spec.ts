import { expect, test } from '@jest/globals';
import { HOUR, MINUTE } from '#kernel';
import { refusedFields } from '../support/exchange.js';
import type { Case, Page } from '../support/resources.js';
import { startService } from '../support/start-service.js';

const service = await startService({ platformHangs: true });
const { platform } = service;

const leak = (id: string, change: object) => platform.control('PATCH', `/leaks/${id}`, change);

test('a read shows the native findings immediately, with every known field (D50)', async () => {
  const agency = await service.agency();
  const { id, userId } = await agency.linked();
  const found = { url: 'https://sub.host.example:8443/a?b#c', status: 'Under review', status_code: 'reviewing' };
  const [leakId = ''] = await agency.leaks(userId, 1, { ...found, actionable: null, dead_on_arrival: null });
  expect(await agency.api.cases(id)).toEqual([
    {
      ...found,
      id: expect.any(String),
      scan_id: null,
      creator_id: id,
      domain: 'sub.host.example',
      favicon_url: null,
      simulated: false,
      created_at: service.clock.now(),
      updated_at: service.clock.now(),
      source: 'svc',
      leak_id: leakId,
      actionable: null,
      dead_on_arrival: null,
      available: true,
      api_deindex_supported: false,
    },
  ]);
});

test('a change shows on the next read, under the same id', async () => {
  const agency = await service.agency();
  const { id, userId } = await agency.linked();
  const [leakId = ''] = await agency.leaks(userId, 1);
  const [before] = await agency.api.cases(id);
  await service.pass(MINUTE);
  await leak(leakId, { status_code: 'notice_sent', actionable: false });
  const [after] = await agency.api.cases(id);
  expect(after).toEqual({
    ...before,
    status: 'Notice sent',
    status_code: 'notice_sent',
    actionable: false,
    updated_at: service.clock.now(),
  });
});

test('repeated reads of unchanged findings append no events (D50)', async () => {
  const agency = await service.agency();
  const { id, userId } = await agency.linked();
  await agency.leaks(userId, 3);
  await agency.api.cases(id);
  await service.pass(HOUR);
  const events = await agency.publishedEvents();
  const { recorded } = service;
  for (let read = 0; read < 3; read++) await agency.api.cases(id);
  await service.pass(HOUR);
  expect(await agency.publishedEvents()).toEqual(events);
  expect(service.recorded).toBe(recorded);
});

test('only findings updated since the last synchronization are requested, with five minutes of overlap (D50)', async () => {
  const agency = await service.agency();
  const { id, userId } = await agency.linked();
  await service.pass(MINUTE);
  await agency.api.cases(id);
  const last = service.clock.now();
  await service.pass(MINUTE);
  await platform.control('DELETE', '/calls');
  await agency.api.cases(id);
  const query = (await platform.calls('listLeaks')).find(({ path }) => path.includes(userId))?.path;
  expect(query).toContain(`updated_since=${last - 5 * MINUTE}`);
});

test('hundreds of findings are paged in the order of ids, without repeats or gaps', async () => {
  const agency = await service.agency();
  const { id, userId } = await agency.linked();
  const leaks = await agency.leaks(userId, 450);
  await agency.api.synchronized(`/v1/creators/${id}/cases`);
  const all = await agency.api.cases(id);
  expect(all.map(({ id: caseId }) => caseId)).toEqual(all.map(({ id: caseId }) => caseId).toSorted());
  expect(new Set(all.map(({ leak_id }) => leak_id))).toEqual(new Set(leaks));
  expect(await agency.api.cases(id, 37)).toEqual(all);
});

test('a page has 25 findings by default, and its cursor is its last id', async () => {
  const agency = await service.agency();
  const { id, userId } = await agency.linked();
  await agency.leaks(userId, 26);
  const { data, next_cursor } = await agency.api.got<Page<Case>>(`/v1/creators/${id}/cases`);
  expect([data.length, next_cursor]).toEqual([25, data.at(-1)?.id]);
  expect((await agency.api.got<Page<Case>>(`/v1/creators/${id}/cases?after=${next_cursor}`)).data).toHaveLength(1);
});

test('with a cursor nothing is synchronized: it shows what is known (D50)', async () => {
  const agency = await service.agency();
  const { id, userId } = await agency.linked();
  await agency.leaks(userId, 3);
  const { next_cursor } = await agency.api.got<Page<Case>>(`/v1/creators/${id}/cases?limit=1`);
  await platform.fault({ operation: 'listLeaks', kind: 'close_before' });
  const { data } = await agency.api.got<Page<Case>>(`/v1/creators/${id}/cases?limit=100&after=${next_cursor}`);
  expect(data).toHaveLength(2);
});

test('a cursor of another creator is 400, also of another agency’s (D13)', async () => {
  const [agency, other] = [await service.agency(), await service.agency()];
  const [one, two, three] = [await agency.linked(), await agency.linked(), await other.linked()];
  for (const [at, { userId }] of [one, two, three].entries()) await agency.leaks(userId, 1 + at);
  const [mine] = await agency.api.cases(one.id);
  const [theirs] = await other.api.cases(three.id);
  for (const after of [mine?.id, theirs?.id]) {
    expect(refusedFields(await agency.api.get(`/v1/creators/${two.id}/cases?after=${after}`))).toEqual(['after']);
  }
});

test('an invitee has no cases, and the platform is not called', async () => {
  const agency = await service.agency();
  const { id } = await agency.invited();
  expect(await agency.api.cases(id)).toEqual([]);
});

test('an older observation than the known one is dropped (D50)', async () => {
  const agency = await service.agency();
  const { id, userId } = await agency.linked();
  const [leakId = ''] = await agency.leaks(userId, 1);
  await service.pass(MINUTE);
  await leak(leakId, { status_code: 'reviewing' });
  const known = await agency.api.cases(id);
  await platform.control('DELETE', `/leaks/${leakId}`);
  await agency.leaks(userId, 1, { leak_id: leakId, status_code: 'detected', updated_at: service.clock.now() - 1 });
  expect(await agency.api.cases(id)).toEqual(known);
});

test('findings of a scan are attributed to it; others of the creator are not (D48)', async () => {
  const agency = await service.agency();
  const { id, userId } = await agency.active();
  await agency.leaks(userId, 1);
  await agency.leaks(userId, 1, { job_id: 'job_of_nobody' });
  const scan = await agency.scan(id);
  await agency.scanThatIs('completed', scan.id);
  const cases = await agency.api.cases(id);
  const attributed = cases.filter(({ scan_id }) => scan_id !== null);
  expect(attributed).toHaveLength(2);
  for (const found of attributed) {
    expect(found).toMatchObject({ scan_id: scan.id, source: 'api_scan', api_deindex_supported: true });
  }
  const native = cases.filter(({ scan_id }) => scan_id === null);
  expect(native.map(({ source, api_deindex_supported }) => [source, api_deindex_supported])).toEqual([
    ['svc', false],
    ['svc', false],
  ]);
});

test('a finding that was read before its scan is known to have found it is attributed afterwards (case.updated)', async () => {
  const agency = await service.agency();
  const { id } = await agency.active();
  await platform.settings({ scan_auto: false });
  await platform.fault({ operation: 'dispatchScan', kind: 'close_after', times: 1 });
  await platform.fault({ operation: 'findScanJob', kind: 'status', status: 500 });
  const scan = await agency.scan(id);
  await agency.scanThatIs('uncertain', scan.id);
  await platform.settings({ scan_auto: true });
  await platform.changeJob(scan.id, { status: 'completed', leaks_per_handle: 1 });
  const [early] = await agency.api.cases(id);
  expect(early).toMatchObject({ scan_id: null, source: 'svc', api_deindex_supported: false });
  await platform.heal();
  await agency.scanThatIs('completed', scan.id);
  const [late] = await agency.api.cases(id);
  expect(late).toMatchObject({ id: early?.id, scan_id: scan.id, source: 'api_scan', api_deindex_supported: true });
  const types = (await agency.publishedEvents()).map(({ type }) => type);
  expect(types.slice(-3)).toEqual(['case.created', 'case.updated', 'scan.completed']);
});

test("a job of one creator gives no provenance to another's finding", async () => {
  const agency = await service.agency();
  const [one, two] = [await agency.active(), await agency.linked()];
  const scan = await agency.scan(one.id);
  const { svc_job_id } = await agency.scanThatIs('completed', scan.id);
  await agency.leaks(two.userId, 1, { job_id: svc_job_id });
  expect(await agency.api.cases(two.id)).toMatchObject([{ scan_id: null, source: 'svc' }]);
});

test.each([
  ['close_before', '503 provider_unavailable'],
  ['broken_json', '502 provider_invalid_response'],
  ['wrong_shape', '502 provider_invalid_response'],
  ['hang', '504 provider_timeout'],
])('a platform that fails the read (%s) is its failure, nothing stale in its place (D36)', async (kind, outcome) => {
  const agency = await service.agency();
  const { id, userId } = await agency.linked();
  await agency.leaks(userId, 1);
  await agency.api.cases(id);
  await platform.fault({ operation: 'listLeaks', kind, match: { agency_id: agency.id } });
  expect((await agency.api.get(`/v1/creators/${id}/cases`)).outcome).toBe(outcome);
});

test('two concurrent readers open each case once', async () => {
  const agency = await service.agency();
  const { id, userId } = await agency.linked();
  await agency.leaks(userId, 30);
  const [one, two] = await Promise.all([agency.api.cases(id), agency.api.cases(id)]);
  expect(one).toEqual(two);
  const created = (await agency.publishedEvents()).filter(({ type }) => type === 'case.created');
  expect(created).toHaveLength(30);
});
