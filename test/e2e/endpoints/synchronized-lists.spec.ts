import { expect, test } from '@jest/globals';
import { holdReadModels } from '../support/lag.js';
import { GIVEN_UP_AFTER } from '../support/service.js';
import { startService } from '../support/start-service.js';

// Nothing here waits longer for the views than the service itself does.
const service = await startService({ platformHangs: true, viewsLagBy: 1 });
const { platform } = service;

const LISTS = ['cases', 'report', 'impersonations'] as const;
const OPERATION = { cases: 'listLeaks', report: 'listLeaks', impersonations: 'listImpersonations' } as const;

/** A creator with so many records of each kind that nobody has read yet. */
const unread = async (count: number) => {
  const agency = await service.agency();
  const { id, userId } = await agency.linked();
  await service.quiet();
  await agency.leaks(userId, count);
  await agency.impersonations(userId, count);
  return { agency, userId, pathOf: (list: string) => `/v1/creators/${id}/${list}` };
};

test.each(LISTS)(
  'D80: %s is 503 where its read model does not follow, and never answers as if complete',
  async (list) => {
    const { agency, pathOf } = await unread(3);
    const held = holdReadModels(service.services);
    try {
      const { outcome, headers } = await agency.api.get(pathOf(list));
      expect([outcome, headers['retry-after']]).toEqual(['503 provider_unavailable', '1']);
    } finally {
      held.goOn();
    }
    await service.quiet();
    expect((await agency.api.get(pathOf(list))).outcome).toBe('200');
  },
);

test.each(LISTS)('D80: two concurrent reads of %s share one synchronization', async (list) => {
  const { agency, userId, pathOf } = await unread(3);
  const operation = OPERATION[list];
  await platform.fault({ operation, kind: 'delay', delay_ms: GIVEN_UP_AFTER / 4, match: { user_id: userId } });
  await platform.control('DELETE', '/calls');
  const answers = await Promise.all([agency.api.get(pathOf(list)), agency.api.get(pathOf(list))]);
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
    await platform.fault({ operation, kind: 'delay', delay_ms: GIVEN_UP_AFTER * 0.6, match: { user_id: userId } });
    const began = performance.now();
    expect((await agency.api.get(pathOf(list))).outcome).toBe('504 provider_timeout');
    expect(performance.now() - began).toBeLessThan(1.7 * GIVEN_UP_AFTER);
    await platform.heal();
    // No time passes: the worker has been asked to walk the creator now, and not at its next time.
    const published = (await agency.publishedEvents()).filter((event) => event.type === type);
    expect(published).toHaveLength(250);
    expect((await agency.api.get(pathOf(list))).outcome).toBe('200');
  },
);
