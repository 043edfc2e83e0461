import { expect, test } from '@jest/globals';
import { DAY, HOUR, MINUTE, SECOND } from '#kernel';
import type { Exchange } from '../support/exchange.js';
import { startService } from '../support/start-service.js';

const service = await startService({ platformHangs: true });
const { platform } = service;

/** The enrollment's own mail, and those that were sent again. */
const mails = async (id: string) => (await platform.effects()).mails_by_invitation[id] ?? 0;
const retryAfter = ({ headers }: Exchange) => Number(headers['retry-after']);

test('a pending invitation is sent again: 200 with the creator and email_sent, one more mail (D39)', async () => {
  const agency = await service.agency();
  const creator = await agency.invited();
  await service.pass(HOUR);
  const resent = await agency.api.resendInvitation(creator.id, 'k');
  expect([resent.outcome, resent.body]).toEqual(['200', { ...creator, email_sent: true }]);
  expect(await mails(creator.id)).toBe(2);
});

test('an expired one is pending again, valid for seven days (D39)', async () => {
  const agency = await service.agency();
  const { id } = await agency.invited();
  await service.pass(7 * DAY);
  expect(await agency.api.creator(id)).toMatchObject({ enrollment_status: 'expired' });
  expect((await agency.api.resendInvitation(id, 'k')).body).toMatchObject({ enrollment_status: 'invited' });
  await service.pass(7 * DAY - MINUTE);
  expect(await agency.api.creator(id)).toMatchObject({ enrollment_status: 'invited' });
  await service.pass(MINUTE);
  expect(await agency.api.creator(id)).toMatchObject({ enrollment_status: 'expired' });
});

test('a second resend within a minute is 429 with Retry-After, also when concurrent, and is sent after it (D39)', async () => {
  const agency = await service.agency();
  const { id } = await agency.invited();
  const both = await Promise.all(['a', 'b'].map((key) => agency.api.resendInvitation(id, key)));
  expect(both.map(({ outcome }) => outcome).sort()).toEqual(['200', '429 rate_limited']);
  await service.pass(20 * SECOND);
  const refused = await agency.api.resendInvitation(id, 'c');
  expect([refused.outcome, retryAfter(refused)]).toEqual(['429 rate_limited', 40]);
  await service.pass(39_999);
  expect((await agency.api.resendInvitation(id, 'c')).outcome).toBe('429 rate_limited');
  await service.pass(1);
  expect((await agency.api.resendInvitation(id, 'c')).outcome).toBe('200');
  expect(await mails(id)).toBe(3);
});
