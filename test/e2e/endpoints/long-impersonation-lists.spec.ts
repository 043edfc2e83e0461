import { afterEach, expect, test } from '@jest/globals';
import { MINUTE, SECOND } from '#kernel';
import { eventually } from '#testing';
import { leavingToWorker } from '../support/left-to-worker.js';
import { startService } from '../support/start-service.js';

const WALK_EVERY = 15 * MINUTE;
/** Less than the platform takes for all pages here, however fast the machine is; nothing here has to be faster than it. */
const BUDGET = 500;
/** Three of these pages are slow by `SLOW_AFTER`, and pages without a delay are fast, however slow the machine is. */
const SLOW_PAGE = 1_200;
const SLOW_AFTER = 3 * SECOND;
const service = await startService();
const { platform } = service;
Object.assign(service.services.impersonationsOptions, { providerTimeout: 2 * SLOW_AFTER });
afterEach(() => service.budgetOfRequests());

const calls = async () => (await platform.calls('listImpersonations')).length;

/** Creates a creator with this many records. A request times out while reading them, and then the worker reads them. */
const readByWorker = async (count: number, delay_ms: number) => {
  const agency = await service.agency();
  const { id, userId } = await agency.linked();
  await service.quiet();
  const nativeIds = await agency.impersonations(userId, count);
  await platform.fault({ operation: 'listImpersonations', kind: 'delay', delay_ms, match: { user_id: userId } });
  const path = `/v1/creators/${id}/impersonations`;
  service.budgetOfRequests(BUDGET);
  await leavingToWorker(service.services, async () => {
    expect((await agency.api.get(path)).outcome).toBe('504 provider_timeout');
  });
  // The platform stays as slow as it is, and no time passes: the worker was asked to read them now.
  await service.quiet();
  return { agency, id, userId, nativeIds, path };
};

test('D80: more records than a request can read are readable when the worker has read them, without reading them again', async () => {
  const { agency, id, nativeIds } = await readByWorker(1_150, 60);
  const before = await calls();
  const listed = await agency.api.impersonations(id);
  expect(listed).toHaveLength(1_150);
  expect(listed.every(({ available }) => available)).toBe(true);
  expect(await calls()).toBe(before);
  const created = (await agency.publishedEvents()).filter(({ type }) => type === 'impersonation.created');
  expect(created).toHaveLength(1_150);

  await platform.control('DELETE', `/impersonations/${nativeIds[0]}`);
  expect((await agency.api.impersonations(id)).every(({ available }) => available)).toBe(true);
  await service.pass(WALK_EVERY);
  expect((await agency.api.impersonations(id)).filter(({ available }) => !available)).toHaveLength(1);
  const deleted = (await agency.publishedEvents()).filter(({ type }) => type === 'impersonation.deleted');
  expect(deleted).toHaveLength(1);
});

test('D78: of a creator that has left nothing is shown, although the platform is not asked for its records', async () => {
  const { agency, userId, path } = await readByWorker(250, SLOW_PAGE);
  await eventually(async () => expect((await agency.api.get(path)).outcome).toBe('200'));
  await agency.changeUser(userId, { agency_id: null });
  await service.whileNothingIsDone(async () => {
    service.clock.advance(MINUTE);
    expect((await agency.api.get(path)).outcome).toBe('404 not_found');
  });
});
