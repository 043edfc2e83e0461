import { afterEach, expect, test } from '@jest/globals';
import { holdReadModels } from '../support/lag.js';
import { leavingToWorker } from '../support/left-to-worker.js';
import { startService } from '../support/start-service.js';

const service = await startService();
const { platform } = service;
afterEach(() => service.budgetOfRequests());
/** One that waits for the views no longer than in production. */
const impatient = await startService({ viewsLagBy: 1 });

const LISTS = ['cases', 'report', 'impersonations'] as const;
const OPERATION = { cases: 'listLeaks', report: 'listLeaks', impersonations: 'listImpersonations' } as const;

/** Creates a creator with this many records of each kind, which nobody has read yet. */
const unread = async (count: number, of = service) => {
  const agency = await of.agency();
  const { id, userId } = await agency.linked();
  await of.quiet();
  await agency.leaks(userId, count);
  await agency.impersonations(userId, count);
  return { agency, userId, pathOf: (list: string) => `/v1/creators/${id}/${list}` };
};

test.each(LISTS)(
  'D80: %s is 503 where its read model does not follow, and never answers as if complete',
  async (list) => {
    const { agency, pathOf } = await unread(3, impatient);
    const held = holdReadModels(impatient.services);
    try {
      const { outcome, headers } = await agency.api.get(pathOf(list));
      expect([outcome, headers['retry-after']]).toEqual(['503 provider_unavailable', '1']);
    } finally {
      held.goOn();
    }
    await impatient.quiet();
    expect((await agency.api.get(pathOf(list))).outcome).toBe('200');
  },
);

/** Delays every page of the list until this many requests have found the creator, so that all of them wait for it. */
const pageAfter = (requests: number, operation: (typeof OPERATION)[keyof typeof OPERATION]) => {
  const { creators, native } = service.services;
  const { promise: allWait, resolve } = Promise.withResolvers<void>();
  const { forWrite } = creators;
  let waiting = 0;
  creators.forWrite = async (...given) => {
    const creator = await forWrite.apply(creators, given);
    waiting++;
    if (waiting === requests) setImmediate(resolve);
    return creator;
  };
  const { listLeaks, listImpersonations } = native.client;
  if (operation === 'listLeaks') native.client.listLeaks = (...given) => allWait.then(() => listLeaks(...given));
  else native.client.listImpersonations = (...given) => allWait.then(() => listImpersonations(...given));
  return () => {
    creators.forWrite = forWrite;
    Object.assign(native.client, { listLeaks, listImpersonations });
  };
};

test.each(LISTS)('D80: two concurrent reads of %s share one synchronization', async (list) => {
  const { agency, userId, pathOf } = await unread(3);
  const operation = OPERATION[list];
  await platform.control('DELETE', '/calls');
  const restore = pageAfter(2, operation);
  const answers = await Promise.all([agency.api.get(pathOf(list)), agency.api.get(pathOf(list))]);
  restore();
  expect(answers.map(({ outcome }) => outcome)).toEqual(['200', '200']);
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect((await platform.calls(operation)).filter(({ path }) => path.includes(userId))).toHaveLength(1);
});

test.each([
  ['cases', 'case.created'],
  ['impersonations', 'impersonation.created'],
] as const)(
  'D80: %s that take longer than PROVIDER_TIMEOUT in all are 504, and the worker finishes them',
  async (list, type) => {
    const { agency, userId, pathOf } = await unread(250);
    const operation = OPERATION[list];
    // Each of the three pages is in time, all together are not.
    service.budgetOfRequests(500);
    await platform.fault({ operation, kind: 'delay', delay_ms: 300, match: { user_id: userId } });
    await platform.control('DELETE', '/calls');
    await service.whileNothingIsDone(async () => {
      await leavingToWorker(service.services, async () => {
        expect((await agency.api.get(pathOf(list))).outcome).toBe('504 provider_timeout');
      });
      expect((await platform.calls(operation)).length).toBeLessThan(3);
    });
    await platform.heal();
    service.budgetOfRequests();
    // No time passes: the worker was asked to walk the creator now instead of at its next scheduled time.
    const published = (await agency.publishedEvents()).filter((event) => event.type === type);
    expect(published).toHaveLength(250);
    expect((await agency.api.get(pathOf(list))).outcome).toBe('200');
  },
);
