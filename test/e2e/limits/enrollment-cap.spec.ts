import { expect, test } from '@jest/globals';
import { MINUTE } from '#kernel';
import type { Agency } from '../support/agency.js';
import { bodyOf } from '../support/api-client.js';
import type { Creator } from '../support/resources.js';
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

test('a retry of an enrollment at the cap is 200 (D31)', async () => {
  const { agency, creators } = await full();
  const [{ svc_user_id }] = creators as [Creator];
  expect((await agency.api.enroll(agency.linkBody(svc_user_id ?? ''))).outcome).toBe('200');
});

test('the roster is imported beyond the cap, and linking an import counts (D31)', async () => {
  const { agency } = await full();
  const users = await agency.users(3);
  expect(await agency.api.roster()).toHaveLength(8);
  expect((await agency.api.enroll(agency.linkBody(users[0] ?? ''))).outcome).toBe('409 capacity_reached');
});

test('imports do not count (D31)', async () => {
  const agency = await service.agency({ slots: 1 });
  await agency.users(7);
  await agency.api.roster();
  expect(await another(agency)).toBe('201');
});

test('a failed enrollment does not count until its invitation is sent (D31)', async () => {
  const agency = await service.agency({ slots: 1 });
  for (let count = 0; count < 4; count++) await agency.linked();
  await service.platform.fault({
    operation: 'invite',
    kind: 'refuse',
    status: 422,
    code: 'invitation_rejected',
    times: 1,
  });
  const body = agency.inviteBody();
  expect((await agency.api.enroll(body)).outcome).toBe('400 invalid_request');
  await service.quiet();
  expect((await agency.api.enroll(body)).body).toMatchObject({ enrollment_status: 'invited' });
  expect(await another(agency)).toBe('409 capacity_reached');
});

test.each([
  [422, 'invitation_rejected', '400 invalid_request'],
  [409, 'capacity_reached', '409 capacity_reached'],
])('one that was refused with %d %s is tried again only where there is room (D28, D31)', async (...row) => {
  const [status, code, refused] = row;
  const agency = await service.agency({ slots: 1 });
  const body = agency.inviteBody();
  const refuse = () => service.platform.fault({ operation: 'invite', kind: 'refuse', status, code, times: 1 });
  await refuse();
  expect((await agency.api.enroll(body)).outcome).toBe(refused);
  await service.quiet();
  for (let count = 0; count < 4; count++) await agency.linked();
  // Refused again, it leaves its seat again.
  await refuse();
  expect((await agency.api.enroll(body)).outcome).toBe(refused);
  await service.quiet();
  expect(await another(agency)).toBe('201');
  const invitations = (await service.platform.calls('invite')).length;
  expect((await agency.api.enroll(body)).outcome).toBe('409 capacity_reached');
  expect(await service.platform.calls('invite')).toHaveLength(invitations);
  await agency.change({ total_slots: 2 });
  const after = await agency.api.enroll(body);
  expect([after.outcome, bodyOf<Creator>(after).enrollment_status]).toEqual(['201', 'invited']);
});

test('a creator that was transferred no longer counts (D31)', async () => {
  const { agency, creators } = await full();
  const [{ id, svc_user_id }] = creators as [Creator];
  await agency.changeUser(svc_user_id ?? '', { agency_id: null });
  expect((await agency.api.get(`/v1/creators/${id}`)).outcome).toBe('404 not_found');
  expect(await another(agency)).toBe('409 capacity_reached');
  await service.pass(5 * MINUTE);
  await service.pass(5 * MINUTE);
  expect(await another(agency)).toBe('201');
});

test('of two concurrent requests for the last seat, one is enrolled (D31)', async () => {
  const agency = await service.agency({ slots: 1 });
  for (let count = 0; count < 4; count++) await agency.linked();
  const users = await agency.users(2);
  const answers = await Promise.all(users.map((userId) => agency.api.enroll(agency.linkBody(userId))));
  expect(answers.map(({ outcome }) => outcome).toSorted()).toEqual(['201', '409 capacity_reached']);
  const enrolled = answers.find(({ outcome }) => outcome === '201');
  expect(enrolled && bodyOf<Creator>(enrolled).enrollment_status).toBe('linked');
});
