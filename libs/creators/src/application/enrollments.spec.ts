import { beforeEach, describe, expect, it } from '@jest/globals';
import { type CreatorId, DomainError, derivedId } from '#kernel';
import { invitee, miaUser, native, submitted } from '../domain/creator.fixtures.js';
import { type Stage, stage } from '../platform.fixtures.js';

const timeout = { outcome: 'unknown', error: new DomainError('provider_timeout') } as const;
const link = { userId: miaUser, externalId: 'ext-mia', identity: submitted, fingerprint: 'body' };
const invitation = { invitee, externalId: 'ext-mia', identity: submitted, fingerprint: 'body' };

let s: Stage;
const enroll = (changes: Partial<typeof link> = {}) => s.enrollments.link(s.scope, { ...link, ...changes }, s.context);
const settle = async (creatorId: CreatorId) =>
  (await s.enrollments.settle(await s.creators.find(creatorId), s.context)).state;
const invite = (changes: Partial<typeof invitation> = {}) =>
  s.enrollments.invite(s.scope, { ...invitation, ...changes }, s.context);

beforeEach(() => {
  s = stage();
  s.platform.users.set(miaUser, native());
});

describe('linking', () => {
  it('D26: enrolls once, writes the identity once, and a retry is the same creator', async () => {
    const first = await enroll();
    expect(first).toMatchObject({ isNew: true, emailSent: false, creator: { enrollment: { status: 'linked' } } });
    expect(first.creator.identity).toEqual({ ...submitted, aliases: ['mimi', 'rosie'] });
    const retry = await enroll();
    expect(retry).toMatchObject({ isNew: false, creator: { creatorId: first.creator.creatorId } });
    expect(s.platform.calls.filter((call) => call === 'updateIdentity')).toHaveLength(1);
  });

  it.each([
    ['unknown', undefined],
    ['of the staff', native({ isStaff: true })],
  ])('D27: a user that is %s is not found, and reserves nothing', async (_who, user) => {
    if (user === undefined) s.platform.users.clear();
    else s.platform.users.set(miaUser, user);
    await expect(enroll()).rejects.toMatchObject({ code: 'not_found' });
    expect(await s.log.head()).toBe(0);
  });

  it('rule 3: a changed payload conflicts', async () => {
    await enroll();
    await expect(enroll({ fingerprint: 'another' })).rejects.toMatchObject({ code: 'external_id_conflict' });
  });

  it('D28: whose identity write is unknown is uncertain, until the same payload has written it', async () => {
    s.platform.outcomes.set('updateIdentity', timeout);
    await expect(enroll()).rejects.toMatchObject({ code: 'provider_timeout' });
    const { creator } = await enroll();
    expect(creator).toMatchObject({ enrollment: { status: 'linked', via: 'link' }, identityToWrite: null });
  });

  it('D28: or until the worker has', async () => {
    s.platform.outcomes.set('updateIdentity', { outcome: 'refused', code: 'odd' });
    await expect(enroll()).rejects.toMatchObject({ code: 'provider_invalid_response' });
    const creators = await s.rosterReading.read(s.scope, { limit: 10 }, s.context, { rebinding: true });
    const [creator] = creators.creators;
    expect(creator?.enrollment.status).toBe('uncertain');
    if (creator === undefined) throw new Error('listed');
    expect(await settle(creator.creatorId)).toMatchObject({ enrollment: { status: 'linked' } });
  });

  it('rule 4, D26: the import of the roster keeps its id, and its first linking is new', async () => {
    const page = await s.rosterReading.read(s.scope, { limit: 10 }, s.context, { rebinding: true });
    const { creator, isNew } = await enroll();
    expect(isNew).toBe(true);
    expect(creator).toMatchObject({ creatorId: page.creators[0]?.creatorId, externalId: 'ext-mia' });
    expect((await enroll()).isNew).toBe(false);
  });

  it('D31: beyond five times the slots there is no capacity', async () => {
    s.platform.totalSlots = 0;
    await expect(enroll()).rejects.toMatchObject({ code: 'capacity_reached' });
  });

  it('two concurrent ones enroll one creator', async () => {
    const both = await Promise.all([enroll(), enroll()]);
    expect(new Set(both.map(({ creator }) => creator.creatorId)).size).toBe(1);
    expect(both.filter(({ isNew }) => isNew)).toHaveLength(1);
    expect(s.platform.calls.filter((call) => call === 'updateIdentity')).toHaveLength(1);
  });
});

describe('inviting', () => {
  it('sends one invitation, and a retry sends none', async () => {
    const first = await invite();
    expect(first).toMatchObject({ isNew: true, emailSent: true, creator: { enrollment: { status: 'invited' } } });
    s.platform.calls.length = 0;
    const retry = await invite();
    expect(retry).toMatchObject({ isNew: false, emailSent: false, creator: { creatorId: first.creator.creatorId } });
    expect(s.platform.calls).toEqual([]);
  });

  it('D28: of unknown outcome is uncertain, without a repeat within the request', async () => {
    s.platform.outcomes.set('invite', timeout);
    expect(await invite()).toMatchObject({
      isNew: true,
      emailSent: false,
      creator: { enrollment: { status: 'uncertain' } },
    });
    expect(s.platform.calls.filter((call) => call === 'invite')).toHaveLength(1);
  });

  it('D28: a retry looks it up by reference before it sends anything', async () => {
    s.platform.outcomes.set('invite', timeout);
    const { creator } = await invite();
    const found = { id: 'inv-found', status: 'pending', userId: null, emailSent: true, expiresAt: 5 } as const;
    s.platform.invitations.set(creator.creatorId, found);
    expect(await invite()).toMatchObject({ isNew: false, creator: { invitationId: 'inv-found' } });
    expect(s.platform.calls.filter((call) => call === 'invite')).toHaveLength(1);
  });

  it('D28: or sends it under the same reference where there is none', async () => {
    s.platform.outcomes.set('invite', timeout);
    const { creator } = await invite();
    const retry = await invite();
    expect(retry.creator).toMatchObject({ creatorId: creator.creatorId, enrollment: { status: 'invited' } });
    expect([...s.platform.invitations.keys()]).toEqual([creator.creatorId]);
  });

  it('D28: one that was refused has failed; the same payload tries again under the same reference', async () => {
    s.platform.outcomes.set('invite', { outcome: 'refused', code: 'invitation_rejected' });
    await expect(invite()).rejects.toMatchObject({ code: 'provider_invalid_response' });
    const { creator } = await invite();
    expect(creator.enrollment.status).toBe('invited');
    expect([...s.platform.invitations.keys()]).toEqual([creator.creatorId]);
  });

  it('D28: one without capacity keeps only the reservation of the external id by that payload', async () => {
    s.platform.outcomes.set('invite', { outcome: 'refused', code: 'capacity_reached' });
    await expect(invite()).rejects.toMatchObject({ code: 'capacity_reached' });
    await expect(invite({ fingerprint: 'another' })).rejects.toMatchObject({ code: 'external_id_conflict' });
    expect(await invite()).toMatchObject({ isNew: true, creator: { enrollment: { status: 'invited' } } });
  });

  it('D30: acceptance and onboarding are seen by reading; the identity is written by the worker, once', async () => {
    s.platform.users.clear();
    const { creator } = await invite();
    const { creatorId } = creator;
    const sent = s.platform.invitations.get(creatorId);
    if (sent === undefined) throw new Error('sent');
    s.platform.invitations.set(creatorId, { ...sent, status: 'accepted', userId: miaUser });
    expect((await s.creators.current(creatorId, s.scope, s.context)).state).toMatchObject({
      enrollment: { status: 'pending_onboarding' },
      userId: null,
    });
    s.platform.users.set(miaUser, native({ invitationReference: creatorId }));
    expect((await s.creators.current(creatorId, s.scope, s.context)).state).toMatchObject({
      enrollment: { status: 'linked', via: 'invitation' },
      userId: miaUser,
      identityToWrite: submitted,
    });
    expect(await settle(creatorId)).toMatchObject({ identityToWrite: null });
    await settle(creatorId);
    expect(s.platform.calls.filter((call) => call === 'updateIdentity')).toHaveLength(1);
  });

  it('D35: an invited user that is listed before it was seen is that creator', async () => {
    const { creator } = await invite();
    s.platform.users.set(miaUser, native({ invitationReference: creator.creatorId }));
    const page = await s.rosterReading.read(s.scope, { limit: 10 }, s.context, { rebinding: true });
    expect(page.creators.map(({ creatorId }) => creatorId)).toEqual([creator.creatorId]);
  });

  it('D35: a reference of another service is nobody here', async () => {
    const invitationReference = derivedId('creator', 'elsewhere');
    s.platform.users.set(miaUser, native({ invitationReference }));
    const page = await s.rosterReading.read(s.scope, { limit: 10 }, s.context, { rebinding: true });
    expect(page.creators[0]?.creatorId).not.toBe(invitationReference);
  });
});

describe('the roster', () => {
  it('imports each member once, and unchanged ones append nothing', async () => {
    const read = () => s.rosterReading.read(s.scope, { limit: 10 }, s.context, { rebinding: true });
    const first = await read();
    const head = await s.log.head();
    expect((await read()).creators).toEqual(first.creators);
    expect(await s.log.head()).toBe(head);
    expect(first.creators[0]).toMatchObject({ externalId: `svc:${miaUser}`, protection: { status: 'not_activated' } });
  });

  it('D21: brings what it shows under the present binding, where it is read for the agency', async () => {
    await enroll();
    const scope = { ...s.scope, epoch: 2 };
    const read = (rebinding: boolean) => s.rosterReading.read(scope, { limit: 10 }, s.context, { rebinding });
    expect((await read(false)).creators[0]?.epoch).toBe(1);
    expect((await read(true)).creators[0]?.epoch).toBe(2);
  });

  it('D9: a creator of another workspace is not found', async () => {
    const { creator } = await enroll();
    const elsewhere = { ...s.scope, workspaceId: derivedId('workspace', 'other') };
    await expect(s.creators.accessible(creator.creatorId, elsewhere, s.context)).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});

describe('changing the identity', () => {
  const update = (change: Parameters<Stage['identityUpdates']['update']>[2]) =>
    enroll().then(({ creator }) => s.updateCreator(creator.creatorId, s.scope, change, s.context));

  it('sets the name and merges the rest', async () => {
    const { identity } = await update({ displayName: 'Mia!', aliases: ['new', 'rosie'] });
    expect(identity).toMatchObject({ displayName: 'Mia!', aliases: ['mimi', 'rosie', 'new'] });
  });

  it('D37: an empty array writes nothing', async () => {
    await update({ aliases: [] });
    expect(s.platform.calls.filter((call) => call === 'updateIdentity')).toHaveLength(1);
  });

  it('D37: before onboarding the invitation is pending', async () => {
    const { creator } = await invite();
    await expect(s.updateCreator(creator.creatorId, s.scope, { displayName: 'M' }, s.context)).rejects.toMatchObject({
      code: 'creator_invitation_pending',
    });
  });

  it('D21: of an earlier binding is refused', async () => {
    const { creator } = await enroll();
    await expect(
      s.updateCreator(creator.creatorId, { ...s.scope, epoch: 2 }, { displayName: 'M' }, s.context),
    ).rejects.toMatchObject({ code: 'creator_rebinding_required' });
  });

  it('D43: one that is no member any more is not found', async () => {
    const { creator } = await enroll();
    s.platform.users.clear();
    await expect(s.updateCreator(creator.creatorId, s.scope, { displayName: 'M' }, s.context)).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});
