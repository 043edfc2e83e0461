import { beforeEach, describe, expect, it } from '@jest/globals';
import { type CreatorId, DomainError } from '#kernel';
import { miaUser, native, submitted } from '../../domain/creator.fixtures.js';
import { linkOfMia, type Stage, stage } from '../../stage.fixtures.js';

const timeout = { outcome: 'unknown', error: new DomainError('provider_timeout') } as const;

let s: Stage;
const enroll = (changes: Partial<typeof linkOfMia> = {}) =>
  s.linkCreator(s.scope, { ...linkOfMia, ...changes }, s.context);
const settle = (creatorId: CreatorId) => s.settle(creatorId);

beforeEach(async () => {
  s = await stage();
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
    const head = await s.log.head();
    await expect(enroll()).rejects.toMatchObject({ code: 'not_found' });
    expect(await s.log.head()).toBe(head);
  });

  it('D28: is uncertain if the outcome of the identity write is unknown, until the same payload has written it', async () => {
    s.platform.outcomes.set('updateIdentity', timeout);
    await expect(enroll()).rejects.toMatchObject({ code: 'provider_timeout' });
    const { creator } = await enroll();
    expect(creator).toMatchObject({ enrollment: { status: 'linked', via: 'link' }, identityToWrite: null });
  });

  it('D28: is uncertain if the identity write was refused, until the worker has written it', async () => {
    s.platform.outcomes.set('updateIdentity', { outcome: 'refused', code: 'odd' });
    await expect(enroll()).rejects.toMatchObject({ code: 'provider_invalid_response' });
    const creators = await s.observeRoster(s.scope, { limit: 10 }, s.context);
    const [creator] = creators.creators;
    expect(creator?.enrollment.status).toBe('uncertain');
    if (creator === undefined) throw new Error('listed');
    expect(await settle(creator.creatorId)).toMatchObject({ enrollment: { status: 'linked' } });
  });

  it('rule 4, D26: keeps the id of a creator that the roster imported, and is new the first time', async () => {
    const page = await s.observeRoster(s.scope, { limit: 10 }, s.context);
    const { creator, isNew } = await enroll();
    expect(isNew).toBe(true);
    expect(creator).toMatchObject({ creatorId: page.creators[0]?.creatorId, externalId: 'ext-mia' });
    expect((await enroll()).isNew).toBe(false);
  });

  it('D77: occupies the slot again before it shows a creator that a synchronization missed during the write', async () => {
    const [imported] = (await s.observeRoster(s.scope, { limit: 10 }, s.context)).creators;
    if (imported === undefined) throw new Error('not on the roster');
    await s.activateProtection(imported.creatorId, s.scope, s.context);
    const write = s.platform.updateIdentity.bind(s.platform);
    s.platform.updateIdentity = async (...asked) => {
      const written = await write(...asked);
      s.platform.slots.clear();
      await s.creators.reportMissing(imported.creatorId, s.context);
      return written;
    };
    const { creator } = await enroll();
    expect(creator).toMatchObject({ membership: { status: 'current' }, protection: { status: 'active' } });
    expect([...s.platform.slots]).toEqual([miaUser]);
  });

  it('enrolls one creator for two concurrent requests', async () => {
    const both = await Promise.all([enroll(), enroll()]);
    expect(new Set(both.map(({ creator }) => creator.creatorId)).size).toBe(1);
    expect(both.filter(({ isNew }) => isNew)).toHaveLength(1);
    expect(s.platform.calls.filter((call) => call === 'updateIdentity')).toHaveLength(1);
  });
});
