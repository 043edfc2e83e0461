import { beforeEach, describe, expect, it } from '@jest/globals';
import { type CreatorId, DomainError, MINUTE } from '#kernel';
import { eveUser, miaUser, native } from '../../domain/creator.fixtures.js';
import { assertEnrolled } from '../../domain/creator.state.js';
import { linkOfMia, type Stage, stage } from '../../stage.fixtures.js';

const timeout = { outcome: 'unknown', error: new DomainError('provider_timeout') } as const;

let s: Stage;
let mia: CreatorId;
const activate = (creatorId = mia, scope = s.scope) => s.activateProtection(creatorId, scope, s.context);
const settle = () => s.settleSlot(mia, s.context);
const loaded = async () => (await s.creators.recorded(mia)).state;
const found = async () => assertEnrolled(await loaded());

beforeEach(async () => {
  s = await stage();
  s.platform.users.set(miaUser, native());
  mia = (await s.linkCreator(s.scope, linkOfMia, s.context)).creator.creatorId;
  s.platform.calls.length = 0;
});

describe('activating protection', () => {
  it('D42: records the intent, occupies the slot, records the activation', async () => {
    expect(await activate()).toMatchObject({
      protection: { status: 'active' },
      slot: { isWanted: true, isConfirmed: true },
    });
    expect(s.platform.slots).toEqual(new Set([miaUser]));
  });

  it('D41: makes no call to the platform if protection is active, in any standing of the creator', async () => {
    await activate();
    s.platform.calls.length = 0;
    s.platform.failure = new DomainError('provider_unavailable');
    expect(await activate()).toMatchObject({ protection: { status: 'active' } });
    const later = { ...s.scope, epoch: 2 };
    await expect(activate(mia, later)).rejects.toMatchObject({ code: 'creator_rebinding_required' });
    expect(s.platform.calls).toEqual([]);
  });

  it('D42: decides by the present answer of the platform', async () => {
    s.platform.users.set(miaUser, native({ entitlement: { active: false, source: 'none' } }));
    await expect(activate()).rejects.toMatchObject({ code: 'creator_not_eligible' });
    expect(s.platform.calls).toEqual(['getCreator']);
  });

  it('D42: checks the binding first, and does not call the platform then', async () => {
    await expect(activate(mia, { ...s.scope, epoch: 2 })).rejects.toMatchObject({ code: 'creator_rebinding_required' });
    expect(s.platform.calls).toEqual([]);
  });

  it('D42: activates nothing and holds no slot if there is no capacity', async () => {
    s.platform.totalSlots = 0;
    await expect(activate()).rejects.toMatchObject({ code: 'capacity_reached' });
    expect(await loaded()).toMatchObject({
      protection: { status: 'not_activated' },
      slot: { isWanted: false, isConfirmed: false },
    });
    await settle();
    expect(await loaded()).toMatchObject({ slot: { isWanted: false, isConfirmed: true } });
  });

  it('D42: is not done while the outcome is unknown, and a repeat settles it under the same intent', async () => {
    s.platform.outcomes.set('occupySlot', timeout);
    await expect(activate()).rejects.toMatchObject({ code: 'provider_timeout' });
    const intended = await loaded();
    expect(intended).toMatchObject({
      protection: { status: 'not_activated' },
      slot: { isWanted: true, isConfirmed: false },
    });
    expect(await activate()).toMatchObject({ protection: { status: 'active' } });
  });

  it('D42: is provider_timeout if the call arrives after the intent was abandoned and its slot released', async () => {
    const occupy = s.platform.occupySlot.bind(s.platform);
    // As in a process that is stopped during its call.
    s.platform.occupySlot = async (agencyId, userId, fence) => {
      s.clock.advance(MINUTE);
      expect(await settle()).toBe('idle');
      expect(await loaded()).toMatchObject({ slot: { isWanted: false, isConfirmed: true } });
      return occupy(agencyId, userId, fence);
    };
    await expect(activate()).rejects.toMatchObject({ code: 'provider_timeout' });
    expect(await loaded()).toMatchObject({
      protection: { status: 'not_activated' },
      slot: { isWanted: false, isConfirmed: true },
    });
    expect(s.platform.slots.size).toBe(0);
  });

  it('D42: is provider_invalid_response if the slot is refused for another reason', async () => {
    s.platform.outcomes.set('occupySlot', { outcome: 'refused', code: 'frozen' });
    await expect(activate()).rejects.toMatchObject({ code: 'provider_invalid_response' });
    expect(await loaded()).toMatchObject({ protection: { status: 'not_activated' }, slot: { isWanted: false } });
  });

  it('D43: is not_found if the creator is gone', async () => {
    s.platform.users.clear();
    await expect(activate()).rejects.toMatchObject({ code: 'not_found' });
  });

  it('never occupies more slots than there are, with any number of concurrent requests', async () => {
    s.platform.totalSlots = 1;
    s.platform.users.set(eveUser, native({ userId: eveUser }));
    const page = await s.observeRoster(s.scope, { limit: 10 }, s.context);
    const outcomes = await Promise.allSettled(page.creators.map(({ creatorId }) => activate(creatorId)));
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('activates once for concurrent requests, under one fence', async () => {
    await Promise.all([activate(), activate(), activate()]);
    expect(s.platform.slotCalls.fences.get(miaUser)).toBe((await found()).slot.fence);
    const types = (await s.log.readStream(`creator-${mia}`)).map(({ type }) => type);
    expect(types.filter((type) => type === 'creator.protectionActivated.v1')).toHaveLength(1);
    expect(types.filter((type) => type === 'creator.activationRequested.v1')).toHaveLength(1);
  });

  it('D90: takes its slot although a later fence was seen, as after a restored backup', async () => {
    s.platform.slotCalls.fences.set(miaUser, 2 * s.clock.now() * 1_000);
    expect(await activate()).toMatchObject({ protection: { status: 'active' }, slot: { isConfirmed: true } });
    expect((await found()).slot.fence).toBe(2 * s.clock.now() * 1_000 + 1);
    expect([...s.platform.slots]).toEqual([miaUser]);
    expect(s.platform.calls).toEqual(['getCreator', 'occupySlot', 'occupySlot']);
  });

  it('D90: is provider_timeout where the platform goes on to refuse higher fences, and may be repeated', async () => {
    const occupy = s.platform.occupySlot.bind(s.platform);
    s.platform.occupySlot = async (agencyId, userId, fence) => {
      s.platform.slotCalls.fences.set(miaUser, fence + 100);
      return occupy(agencyId, userId, fence);
    };
    await expect(activate()).rejects.toMatchObject({ code: 'provider_timeout' });
    expect(s.platform.calls).toEqual(['getCreator', 'occupySlot', 'occupySlot']);
    s.platform.occupySlot = occupy;
    expect(await activate()).toMatchObject({ protection: { status: 'active' } });
  });
});

const pause = () => s.pauseProtection(mia, s.scope, s.context);

describe('pausing protection', () => {
  beforeEach(async () => {
    await activate();
    s.platform.calls.length = 0;
  });

  it('D42: is recorded, then the slot is released within the request', async () => {
    expect(await pause()).toMatchObject({
      protection: { status: 'paused' },
      slot: { isWanted: false, isConfirmed: true },
    });
    expect(s.platform.slots.size).toBe(0);
  });

  it('D43: hides the creator if the platform does not know it when the slot is released', async () => {
    s.platform.users.clear();
    s.platform.outcomes.set('releaseSlot', { outcome: 'refused', code: 'not_found' });
    expect(await pause()).toMatchObject({ protection: { status: 'paused' } });
    expect(await loaded()).toMatchObject({ membership: { status: 'missing' }, slot: { isConfirmed: false } });
    await expect(pause()).rejects.toMatchObject({ code: 'not_found' });
  });

  it('D41: changes nothing the second time', async () => {
    await pause();
    const head = await s.log.head();
    expect(await pause()).toMatchObject({ protection: { status: 'paused' } });
    expect(await s.log.head()).toBe(head);
  });

  it('does not ask the platform for the creator', async () => {
    await pause();
    expect(s.platform.calls).toEqual(['releaseSlot']);
  });
});

it('D90: a release that the platform applies late takes nothing from a later activation', async () => {
  await activate();
  let applyLate = async (): Promise<unknown> => undefined;
  const release = s.platform.releaseSlot.bind(s.platform);
  s.platform.releaseSlot = async (...call) => {
    applyLate = () => release(...call);
    return timeout;
  };
  await pause();
  await activate();
  await applyLate();
  expect([...s.platform.slots]).toEqual([miaUser]);
});

it('D90: pausing an activation whose outcome is unknown releases the slot, and the late call takes none', async () => {
  let applyLate = async (): Promise<unknown> => undefined;
  const occupy = s.platform.occupySlot.bind(s.platform);
  s.platform.occupySlot = async (...call) => {
    applyLate = () => occupy(...call);
    return timeout;
  };
  await expect(activate()).rejects.toMatchObject({ code: 'provider_timeout' });
  expect(await pause()).toMatchObject({ slot: { isWanted: false, isConfirmed: true } });
  await applyLate();
  expect(s.platform.slots.size).toBe(0);
});
