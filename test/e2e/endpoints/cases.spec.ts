import { expect, test } from '@jest/globals';
import type { Case, Page } from '#client';
import { MINUTE } from '#kernel';
import { refusedFields } from '../support/exchange.js';
import { startService } from '../support/start-service.js';

const service = await startService({ platformHangs: true });
const { platform } = service;

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

test('more findings than a page of the platform holds are paged in the order of ids, without repeats or gaps', async () => {
  const agency = await service.agency();
  const { id, userId } = await agency.linked();
  const leaks = await agency.leaks(userId, 130);
  await agency.api.synchronized(`/v1/creators/${id}/cases`);
  const all = await agency.api.cases(id);
  expect(all.map(({ id: caseId }) => caseId)).toEqual(all.map(({ id: caseId }) => caseId).toSorted());
  expect(new Set(all.map(({ leak_id }) => leak_id))).toEqual(new Set(leaks));
  expect(await agency.api.cases(id, 37)).toEqual(all);
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

test("a job of one creator gives no provenance to another's finding", async () => {
  const agency = await service.agency();
  const [one, two] = [await agency.active(), await agency.linked()];
  const scan = await agency.scan(one.id);
  const { svc_job_id } = await agency.scanThatIs('completed', scan.id);
  await agency.leaks(two.userId, 1, { job_id: svc_job_id });
  expect(await agency.api.cases(two.id)).toMatchObject([{ scan_id: null, source: 'svc' }]);
});
