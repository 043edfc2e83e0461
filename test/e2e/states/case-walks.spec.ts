import { expect, test } from '@jest/globals';
import { MINUTE, SECOND } from '#kernel';
import type { Agency } from '../support/agency.js';
import { startService } from '../support/start-service.js';

const EVERY = 15 * MINUTE;
const service = await startService({ env: { FAVICON_URL: 'https://icons.example/{domain}.ico' } });
const { platform } = service;

const remove = (leakId: string) => platform.control('DELETE', `/leaks/${leakId}`);
const caseEvents = async (agency: Agency) =>
  (await agency.publishedEvents()).filter(({ type }) => type.startsWith('case.')).map(({ type }) => type);

/** A linked creator with findings that were observed a while ago. */
const known = async (leaks: number) => {
  const agency = await service.agency();
  const { id, userId } = await agency.linked();
  const leakIds = await agency.leaks(userId, leaks);
  await agency.api.cases(id);
  await service.pass(EVERY);
  return { agency, id, userId, leakIds };
};

test('the worker walks all findings of a creator without anyone reading (D50)', async () => {
  const agency = await service.agency();
  const { userId } = await agency.linked();
  await agency.leaks(userId, 3);
  await service.pass(EVERY);
  expect(await caseEvents(agency)).toEqual(Array(3).fill('case.created'));
});

test('a read does not observe a removal; the next complete walk does: one case.deleted, and the row stays (D50)', async () => {
  const { agency, id, leakIds } = await known(3);
  const [gone = ''] = leakIds;
  await remove(gone);
  expect((await agency.api.cases(id)).every(({ available }) => available)).toBe(true);
  await service.pass(EVERY);
  const cases = await agency.api.cases(id);
  expect(cases).toHaveLength(3);
  expect(cases.filter(({ available }) => !available).map(({ leak_id }) => leak_id)).toEqual([gone]);
  await service.pass(EVERY);
  expect(await caseEvents(agency)).toEqual([...Array(3).fill('case.created'), 'case.deleted']);
});

test('a walk that cannot read all pages observes no removal (D50)', async () => {
  const { agency, id, leakIds } = await known(2);
  await remove(leakIds[0] ?? '');
  await platform.fault({ operation: 'listLeaks', kind: 'broken_json', match: { agency_id: agency.id } });
  await service.pass(EVERY);
  await platform.heal();
  expect((await agency.api.cases(id)).every(({ available }) => available)).toBe(true);
  expect(await caseEvents(agency)).not.toContain('case.deleted');
  await service.pass(EVERY);
  expect(await caseEvents(agency)).toContain('case.deleted');
});

test('a finding that comes back is a case.updated under its old id (D50)', async () => {
  const { agency, id, userId, leakIds } = await known(1);
  const [leakId = ''] = leakIds;
  const [before] = await agency.api.cases(id);
  await remove(leakId);
  await service.pass(EVERY);
  await agency.leaks(userId, 1, { leak_id: leakId });
  await service.pass(SECOND);
  const [back] = await agency.api.cases(id);
  expect(back).toMatchObject({ id: before?.id, available: true });
  expect(await caseEvents(agency)).toEqual(['case.created', 'case.deleted', 'case.updated']);
});

test('findings in the hundreds are removed and kept exactly (D50)', async () => {
  const { agency, id, leakIds } = await known(230);
  const gone = leakIds.filter((_, at) => at % 50 === 0);
  for (const leakId of gone) await remove(leakId);
  await service.pass(EVERY);
  const unavailable = (await agency.api.cases(id)).filter(({ available }) => !available);
  expect(new Set(unavailable.map(({ leak_id }) => leak_id))).toEqual(new Set(gone));
});

test('while the agency is denied there are no walks (D19)', async () => {
  const { agency, userId } = await known(1);
  await agency.change({ kyc_status: 'pending' });
  await agency.leaks(userId, 1);
  await service.pass(2 * EVERY);
  await agency.change({ kyc_status: 'approved' });
  expect(await caseEvents(agency)).toEqual(['case.created']);
  await service.pass(MINUTE);
  expect(await caseEvents(agency)).toEqual(['case.created', 'case.created']);
});

test('the URL of a favicon is the template with the domain of the finding (D50)', async () => {
  const { agency, id } = await known(1);
  expect(await agency.api.cases(id)).toMatchObject([
    { domain: 'mirror-vault.example', favicon_url: 'https://icons.example/mirror-vault.example.ico' },
  ]);
});

test('a finding whose URL is not valid has an empty domain', async () => {
  const agency = await service.agency();
  const { id, userId } = await agency.linked();
  await agency.leaks(userId, 1, { url: 'telegram: @leaks' });
  expect(await agency.api.cases(id)).toMatchObject([{ url: 'telegram: @leaks', domain: expect.any(String) }]);
});
