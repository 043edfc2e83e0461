import { expect, test } from '@jest/globals';
import { DAY, eventsOf } from '#kernel';
import type { Agency } from '../support/agency.js';
import { bodyOf } from '../support/api-client.js';
import type { Creator } from '../support/resources.js';
import { startService } from '../support/start-service.js';

const service = await startService();

/** More than may begin, one after the other. */
const TRIES = 101;

const tries = async (attempt: (n: number) => Promise<string>): Promise<string[]> => {
  const outcomes: string[] = [];
  for (let n = 0; n < TRIES; n++) outcomes.push(await attempt(n));
  return outcomes;
};
const enroll = async (agency: Agency, change: object) => (await agency.api.enroll(agency.inviteBody(change))).outcome;
const recorded = async ({ workspaceId }: Agency) =>
  (await Array.fromAsync(eventsOf(service.services.log))).filter(({ metadata }) => metadata.workspaceId === workspaceId)
    .length;

test('a hundred enrollments that were removed again use up the day; the next one begins a day after the first (D88)', async () => {
  const agency = await service.agency({ slots: 2 });
  const began = service.clock.now();
  const outcomes = await tries(async (n) => {
    const enrolled = await agency.api.enroll(agency.inviteBody({ email: `ivy${n}@example.com` }));
    if (enrolled.status === 201) await agency.api.remove(bodyOf<Creator>(enrolled).id);
    await service.quiet();
    return enrolled.outcome;
  });
  expect(outcomes).toEqual([...Array(TRIES - 1).fill('201'), '409 capacity_reached']);
  expect(await enroll(agency, { email: 'elsewhere@example.com' })).toBe('409 capacity_reached');
  await service.pass(began + DAY - service.clock.now());
  expect(await enroll(agency, {})).toBe('201');
});

test('one refused payload is tried a hundred times in a day, and then records nothing more (D88)', async () => {
  const agency = await service.agency({ slots: 2 });
  const body = agency.inviteBody({ email: 'ivy@rejected.example' });
  const refused = (await agency.api.enroll(body)).outcome;
  const outcomes = await tries(async () => (await agency.api.enroll(body)).outcome);
  expect(outcomes).toEqual([...Array(TRIES - 2).fill(refused), '409 capacity_reached', '409 capacity_reached']);
  await service.quiet();
  const before = await recorded(agency);
  for (let n = 0; n < 5; n++) expect((await agency.api.enroll(body)).outcome).toBe('409 capacity_reached');
  await service.quiet();
  expect(await recorded(agency)).toBe(before);
});
