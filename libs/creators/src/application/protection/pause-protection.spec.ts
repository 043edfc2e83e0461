import { beforeEach, describe, expect, it } from '@jest/globals';
import { type CreatorId, DomainError } from '#kernel';
import { miaUser, native } from '../../domain/creator.fixtures.js';
import { linkOfMia, type Stage, stage } from '../../stage.fixtures.js';
import { isFound } from '../access/loaded-creator.js';

const timeout = { outcome: 'unknown', error: new DomainError('provider_timeout') } as const;

let s: Stage;
let mia: CreatorId;
const activate = () => s.activateProtection(mia, s.scope, s.context);
const pause = () => s.pauseProtection(mia, s.scope, s.context);
const settle = () => s.settleSlot(mia, s.context);
const loaded = async () => (await s.creators.recorded(mia)).state;
const found = async () => {
  const creator = await s.creators.recorded(mia);
  if (!isFound(creator)) throw new Error('mia is enrolled');
  return creator;
};

beforeEach(async () => {
  s = await stage();
  s.platform.users.set(miaUser, native());
  mia = (await s.linkCreator(s.scope, linkOfMia, s.context)).creator.creatorId;
  s.platform.calls.length = 0;
});

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

  it('D42: is answered even if the release failed, and the worker releases the slot', async () => {
    s.platform.outcomes.set('releaseSlot', timeout);
    expect(await pause()).toMatchObject({
      protection: { status: 'paused' },
      slot: { isWanted: false, isConfirmed: false },
    });
    await settle();
    expect(await loaded()).toMatchObject({ slot: { isWanted: false, isConfirmed: true } });
  });

  it('D42: releases no slot once the creator is active again', async () => {
    s.platform.outcomes.set('releaseSlot', timeout);
    await pause();
    await activate();
    s.platform.calls.length = 0;
    await settle();
    expect(s.platform.calls).toEqual([]);
    expect(s.platform.slots).toEqual(new Set([miaUser]));
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

  it('D43: follows the end of the membership, and a creator that returns stays paused, with its ids', async () => {
    const before = await found();
    s.platform.users.clear();
    await s.creators.refresh(before, s.context, s.clock.now());
    await expect(s.creators.forWrite(mia, s.scope, s.context)).rejects.toMatchObject({ code: 'not_found' });
    expect(await loaded()).toMatchObject({ membership: { status: 'missing' }, protection: { status: 'active' } });
    s.clock.advance(1_000);
    await s.creators.refresh(await found(), s.context, s.clock.now());
    expect(await loaded()).toMatchObject({ membership: { status: 'ended' }, protection: { status: 'paused' } });
    s.platform.users.set(miaUser, native());
    const { state } = await s.creators.forWrite(mia, s.scope, s.context);
    expect(state).toMatchObject({
      externalId: before.state.externalId,
      membership: { status: 'current' },
      protection: { status: 'paused' },
    });
  });
});

it('D90: a wrong 404 at the release leaks no slot: the worker releases it while the creator may be a member', async () => {
  await activate();
  s.platform.outcomes.set('releaseSlot', { outcome: 'refused', code: 'not_found' });
  await pause();
  s.platform.outcomes.set('releaseSlot', { outcome: 'refused', code: 'not_found' });
  await expect(settle()).rejects.toMatchObject({ code: 'provider_unavailable' });
  await settle();
  expect(await loaded()).toMatchObject({ slot: { isWanted: false, isConfirmed: true } });
  expect(s.platform.slots.size).toBe(0);
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
