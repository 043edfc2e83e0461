import { expect, test } from '@jest/globals';
import { DAY, HOUR, MINUTE, SECOND } from '#kernel';
import type { Agency } from '../support/agency.js';
import { bodyOf } from '../support/api-client.js';
import type { Exchange } from '../support/exchange.js';
import type { Creator } from '../support/resources.js';
import { startService } from '../support/start-service.js';

const service = await startService();
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

test('a refused one records nothing: its external id is free, also for another address (D88)', async () => {
  const agency = await service.agency();
  expect((await invite(agency)).outcome).toBe('201');
  const body = agency.inviteBody({ email: EMAIL.toUpperCase(), external_id: 'ivy' });
  const refused = await agency.api.enroll(body);
  expect([refused.outcome, retryAfter(refused)]).toEqual(['429 rate_limited', 60]);
  expect((await agency.api.enroll({ ...body, email: 'vale@example.com' })).outcome).toBe('201');
});

test('each agency has a separate allowance, which survives a restart (D88)', async () => {
  const [one, other] = [await service.agency(), await service.agency()];
  expect((await invite(one)).outcome).toBe('201');
  expect((await invite(other)).outcome).toBe('201');
  await service.restart();
  expect((await invite(one)).outcome).toBe('429 rate_limited');
});

test('a retry is answered, and one after a refusal is tried, however often (D88)', async () => {
  const agency = await service.agency();
  const body = agency.inviteBody({ email: EMAIL });
  expect((await agency.api.enroll(body)).outcome).toBe('201');
  for (let n = 0; n < 6; n++) expect((await agency.api.enroll(body)).outcome).toBe('200');
  const rejected = agency.inviteBody({ email: 'ivy@rejected.example' });
  const [first, ...others] = [
    await agency.api.enroll(rejected),
    await agency.api.enroll(rejected),
    await agency.api.enroll(rejected),
  ].map(({ outcome }) => outcome);
  expect(new Set(others)).toEqual(new Set([first]));
});

test('a resend may follow the invitation; two creators with one address share the resends (D39, D88)', async () => {
  const agency = await service.agency();
  const one = bodyOf<Creator>(await invite(agency));
  await service.pass(MINUTE);
  const other = bodyOf<Creator>(await invite(agency));
  expect((await agency.api.resendInvitation(one.id, 'a')).outcome).toBe('200');
  const refused = await agency.api.resendInvitation(other.id, 'b');
  expect([refused.outcome, retryAfter(refused)]).toEqual(['429 rate_limited', 60]);
  await service.pass(MINUTE);
  expect((await agency.api.resendInvitation(other.id, 'b')).outcome).toBe('200');
});
