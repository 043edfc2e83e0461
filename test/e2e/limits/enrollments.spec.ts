import { expect, test } from '@jest/globals';
import type { Creator } from '#client';
import { DAY, HOUR, MINUTE, SECOND } from '#kernel';
import type { Agency } from '../support/agency.js';
import { bodyOf } from '../support/api-client.js';
import type { Exchange } from '../support/exchange.js';
import { startService } from '../support/start-service.js';

const service = await startService();

/** An agency of one slot whose five enrollments are used up, by links. */
const full = async () => {
  const agency = await service.agency({ slots: 1 });
  const creators: Creator[] = [];
  for (let count = 0; count < 5; count++) creators.push(await agency.linked());
  return { agency, creators };
};

const another = async (agency: Agency) => (await agency.api.enroll(agency.linkBody(await agency.user()))).outcome;

test('enrollment is capped at five times the slots (D31)', async () => {
  const { agency } = await full();
  expect(await another(agency)).toBe('409 capacity_reached');
  expect((await agency.api.enroll(agency.inviteBody())).outcome).toBe('409 capacity_reached');
  await agency.change({ total_slots: 2 });
  expect(await another(agency)).toBe('201');
});

const EMAIL = 'ivy@example.com';

const retryAfter = ({ headers }: Exchange) => Number(headers['retry-after']);
const invite = (agency: Agency, change: object = {}) =>
  agency.api.enroll(agency.inviteBody({ email: EMAIL, ...change }));
const inviteAndRemove = async (agency: Agency): Promise<string> => {
  const enrolled = await invite(agency);
  if (enrolled.status === 201) await agency.api.remove(bodyOf<Creator>(enrolled).id);
  return enrolled.outcome;
};
const mails = async () =>
  Object.values((await service.platform.effects()).mails).reduce((sum, count) => sum + count, 0);

test('enroll and DELETE send one person a mail a minute, and five in 24 hours (D88)', async () => {
  const agency = await service.agency();
  const before = await mails();
  const began = service.clock.now();
  const outcomes: string[] = [];
  for (let n = 0; n < 30; n++) outcomes.push(await inviteAndRemove(agency));
  expect(outcomes).toEqual(['201', ...Array(29).fill('429 rate_limited')]);
  for (let n = 1; n < 5; n++) {
    await service.pass(MINUTE);
    expect(await inviteAndRemove(agency)).toBe('201');
  }
  await service.pass(HOUR);
  const refused = await invite(agency);
  const left = (began + DAY - service.clock.now()) / SECOND;
  expect([refused.outcome, retryAfter(refused), await mails()]).toEqual(['429 rate_limited', left, before + 5]);
  await service.pass(began + DAY - service.clock.now());
  expect(await inviteAndRemove(agency)).toBe('201');
});
