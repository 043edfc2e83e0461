import { expect, test } from '@jest/globals';
import { MINUTE } from '#kernel';
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

test('the URL of a favicon is the template with the domain of the finding (D50)', async () => {
  const { agency, id } = await known(1);
  expect(await agency.api.cases(id)).toMatchObject([
    { domain: 'mirror-vault.example', favicon_url: 'https://icons.example/mirror-vault.example.ico' },
  ]);
});
