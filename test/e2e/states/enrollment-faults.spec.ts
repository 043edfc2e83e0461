import { expect, test } from '@jest/globals';
import { MINUTE } from '#kernel';
import { bodyOf } from '../support/api-client.js';
import { refusedFields } from '../support/exchange.js';
import type { Creator } from '../support/resources.js';
import { startService } from '../support/start-service.js';
import { UNKNOWN_OUTCOMES } from '../support/unknown-outcomes.js';

const service = await startService({ platformHangs: true });
const { platform } = service;

const mails = async ({ id }: Creator) => (await platform.effects()).mails[id] ?? 0;
const invitations = ({ id }: Creator) => platform.calls('invite', id);

test.each(UNKNOWN_OUTCOMES)(
  'inviting, %s: 201 uncertain, no repeat within the request; the worker settles it with one mail (D28)',
  async (_, fault) => {
    const agency = await service.agency();
    await platform.fault({ operation: 'invite', match: { agency_id: agency.id }, ...fault });
    const enrolled = await agency.api.enroll(agency.inviteBody());
    const creator = bodyOf<Creator>(enrolled);
    expect(enrolled.outcome).toBe('201');
    expect(creator).toMatchObject({ enrollment_status: 'uncertain', email_sent: false, invitation_id: null });
    expect(await invitations(creator)).toHaveLength(1);
    await platform.heal();
    await service.passUntil(async () =>
      expect(await agency.api.creator(creator.id)).toMatchObject({
        enrollment_status: 'invited',
        invitation_id: expect.any(String),
      }),
    );
    await service.pass(MINUTE);
    expect(await mails(creator)).toBe(1);
  },
);

test.each(UNKNOWN_OUTCOMES)('inviting, %s: a retry settles it too, without a second mail (D28)', async (_, fault) => {
  const agency = await service.agency();
  await platform.fault({ operation: 'invite', match: { agency_id: agency.id }, times: 1, ...fault });
  const body = agency.inviteBody();
  const creator = bodyOf<Creator>(await agency.api.enroll(body));
  const retry = await agency.api.enroll(body);
  expect(retry.outcome).toBe('200');
  expect(retry.body).toMatchObject({ id: creator.id, enrollment_status: 'invited' });
  await service.pass(MINUTE);
  expect(await mails(creator)).toBe(1);
});

test('a retry while the lookup fails leaves it uncertain, and sends nothing blindly (D28)', async () => {
  const agency = await service.agency();
  await platform.fault({ operation: 'invite', kind: 'close_after', times: 1 });
  const body = agency.inviteBody();
  const creator = bodyOf<Creator>(await agency.api.enroll(body));
  await platform.fault({ operation: 'findInvitation', kind: 'status', status: 500 });
  expect((await agency.api.enroll(body)).body).toMatchObject({ enrollment_status: 'uncertain' });
  expect(await invitations(creator)).toHaveLength(1);
});

test('a refused invitation is a 400 on `email`, and failed; the same payload tries again under the same reference (D28)', async () => {
  const agency = await service.agency();
  await platform.fault({ operation: 'invite', kind: 'refuse', status: 422, code: 'invitation_rejected', times: 2 });
  const body = agency.inviteBody();
  const refused = await agency.api.enroll(body);
  expect(refusedFields(refused)).toEqual(['email']);
  const { location } = refused.headers;
  expect((await agency.api.get(String(location))).body).toMatchObject({ enrollment_status: 'failed' });
  expect((await agency.api.enroll(body)).headers.location).toBe(location);
  const changed = await agency.api.enroll({ ...body, email: 'other@example.com' });
  expect(changed.outcome).toBe('409 external_id_conflict');
  const accepted = await agency.api.enroll(body);
  const creator = bodyOf<Creator>(accepted);
  expect([accepted.outcome, accepted.headers.location]).toEqual(['201', location]);
  expect(creator).toMatchObject({ enrollment_status: 'invited', email_sent: true });
  expect((await agency.api.enroll(body)).outcome).toBe('200');
  expect(await invitations(creator)).toHaveLength(3);
  expect(await mails(creator)).toBe(1);
});

test('DELETE of a refused enrollment frees its external id for the right address, as the same creator (D25)', async () => {
  const agency = await service.agency({ slots: 1 });
  const wrong = agency.inviteBody({ email: 'ivy@rejected.example' });
  const right = { ...wrong, email: 'ivy@talent.example' };
  const path = String((await agency.api.enroll(wrong)).headers.location);
  expect((await agency.api.enroll(right)).outcome).toBe('409 external_id_conflict');
  expect((await agency.api.send('DELETE', path)).body).toMatchObject({ enrollment_status: 'cancelled' });
  expect((await agency.api.enroll(wrong)).body).toMatchObject({ enrollment_status: 'cancelled' });

  const enrolled = await agency.api.enroll(right);
  const creator = bodyOf<Creator>(enrolled);
  expect([enrolled.outcome, enrolled.headers.location]).toEqual(['201', path]);
  expect(creator).toMatchObject({ enrollment_status: 'invited', email_sent: true });
  expect((await agency.api.enroll(right)).outcome).toBe('200');
  expect((await agency.api.enroll(wrong)).outcome).toBe('409 external_id_conflict');
  await service.pass(MINUTE);
  expect(await mails(creator)).toBe(1);
  expect((await agency.api.events()).at(-1)?.data?.creator).toMatchObject({
    id: creator.id,
    enrollment_status: 'invited',
  });
});

test('the worker does not repeat what was refused (D28)', async () => {
  const agency = await service.agency();
  const before = (await platform.calls('invite')).length;
  const refused = await agency.api.enroll(agency.inviteBody({ email: 'ivy@rejected.example' }));
  expect(refusedFields(refused)).toEqual(['email']);
  await service.pass(MINUTE);
  await service.pass(MINUTE);
  expect((await platform.calls('invite')).length).toBe(before + 1);
});

test('a refusal for capacity keeps only the reservation of the external id by that payload (D28)', async () => {
  const agency = await service.agency({ slots: 1 });
  await agency.change({ dashboard_slots: 1 });
  const body = agency.inviteBody({ external_id: 'ivy' });
  expect((await agency.api.enroll(body)).outcome).toBe('409 capacity_reached');
  expect((await agency.api.enroll(body)).outcome).toBe('409 capacity_reached');
  expect(await agency.api.roster()).toEqual([]);
  expect(await agency.publishedEvents()).toEqual([]);
  expect((await agency.api.enroll({ ...body, last_name: 'Oak' })).outcome).toBe('409 external_id_conflict');
  await agency.change({ dashboard_slots: 0 });
  const enrolled = await agency.api.enroll(body);
  expect(enrolled.outcome).toBe('201');
  expect(enrolled.body).toMatchObject({ enrollment_status: 'invited', email_sent: true });
});

test.each([
  ['breaks before it', { kind: 'close_before' }, '504 provider_timeout'],
  ['breaks after it', { kind: 'close_after' }, '504 provider_timeout'],
  ['fails', { kind: 'status', status: 500 }, '504 provider_timeout'],
  ['does not answer', { kind: 'hang' }, '504 provider_timeout'],
  ['answers nonsense', { kind: 'wrong_shape' }, '502 provider_invalid_response'],
  ['refuses', { kind: 'refuse', status: 422, code: 'no' }, '502 provider_invalid_response'],
])(
  'linking, writing the identity %s: 504 or 502 and uncertain, until the same payload has written it (D28)',
  async (_, fault, outcome) => {
    const agency = await service.agency();
    const userId = await agency.user();
    await platform.fault({ operation: 'updateIdentity', match: { agency_id: agency.id }, ...fault });
    expect((await agency.api.enroll(agency.linkBody(userId))).outcome).toBe(outcome);
    const [creator] = await agency.api.roster();
    expect(creator).toMatchObject({ enrollment_status: 'uncertain', external_id: `ext-${userId}` });
    await platform.heal();
    const retry = await agency.api.enroll(agency.linkBody(userId));
    expect(retry.outcome).toBe('200');
    expect(retry.body).toMatchObject({ id: creator?.id, enrollment_status: 'linked', display_name: 'Ivy Vale' });
  },
);

test('the worker writes the identity that a link could not write (D28)', async () => {
  const agency = await service.agency();
  const userId = await agency.user();
  await platform.fault({ operation: 'updateIdentity', kind: 'close_before', times: 1 });
  expect((await agency.api.enroll(agency.linkBody(userId))).outcome).toBe('504 provider_timeout');
  const [{ id = '' } = {}] = await agency.api.roster();
  const look = async () => expect(await agency.api.creator(id)).toMatchObject({ enrollment_status: 'linked' });
  await service.passUntil(look);
  expect(await agency.api.creator(id)).toMatchObject({ display_name: 'Ivy Vale' });
  expect((await platform.effects()).identity_writes[userId]).toBe(1);
});

test.each([
  ['getNativeCreator', 'link'],
  ['getCapacity', 'link'],
  ['getCapacity', 'invite'],
])('%s failing while enrolling by %s enrolls nobody', async (operation, via) => {
  const agency = await service.agency();
  const body = via === 'link' ? agency.linkBody(await agency.user()) : agency.inviteBody();
  await platform.fault({ operation, kind: 'status', status: 500 });
  expect((await agency.api.enroll(body)).outcome).toBe('503 provider_unavailable');
  await platform.heal();
  expect(await agency.publishedEvents()).toEqual([]);
  expect((await agency.api.enroll(body)).outcome).toBe('201');
});
