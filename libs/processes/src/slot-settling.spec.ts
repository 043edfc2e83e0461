import { beforeEach, describe, expect, it } from '@jest/globals';
import { DomainError, type DueHandler, SECOND } from '#kernel';
import {
  activated,
  activating,
  activationRequested,
  active,
  linked,
  mia,
  miaUser,
  native,
  paused,
  standingObserved,
} from '../../creators/src/creator.examples.js';
import { authorizationLapses } from './authorization-lapses.js';
import { aService, claimed, type Service } from './service.examples.js';
import { slotSettling } from './slot-settling.js';

let service: Service;
let settling: DueHandler;
let since: number;

beforeEach(async () => {
  service = await aService();
  settling = slotSettling(service.protections);
  service.platform.users.set(miaUser, native());
  service.platform.slots.add(miaUser);
  since = service.clock.now();
});

const settle = () => settling.handle(claimed('slot', mia), service.clock.now());
const creator = async () => {
  const state = await service.creators.load(mia);
  if (state.status === 'unknown') throw new Error('no creator');
  return state;
};

describe('an activation whose outcome nobody recorded (D42)', () => {
  beforeEach(() => service.creatorDid(mia, ...activating));

  it('is left alone for 30 seconds', async () => {
    service.clock.advance(30 * SECOND - 1);
    expect(await settle()).toEqual({ again: since + 30 * SECOND });
    expect(await creator()).toMatchObject({ slot: { status: 'requested' } });
    expect([...service.platform.slots]).toEqual([miaUser]);
  });

  it('is abandoned then, and its slot given back', async () => {
    service.clock.advance(30 * SECOND);
    expect(await settle()).toBe('moved_on');
    expect(await creator()).toMatchObject({ slot: { status: 'free' }, protection: { status: 'not_activated' } });
    expect([...service.platform.slots]).toEqual([]);
  });

  it('that was recorded in the end keeps its slot', async () => {
    await service.creatorDid(mia, activated);
    service.clock.advance(30 * SECOND);
    expect(await settle()).toBe('moved_on');
    expect([...service.platform.slots]).toEqual([miaUser]);
  });
});

describe('a slot that is no longer needed', () => {
  beforeEach(() => service.creatorDid(mia, ...active, paused));

  it('is given back', async () => {
    expect(await settle()).toBe('moved_on');
    expect([...service.platform.slots]).toEqual([]);
    expect(await creator()).toMatchObject({ slot: { status: 'free' } });
  });

  it('is given back once', async () => {
    await settle();
    await settle();
    expect(service.platform.calls.filter((call) => call === 'releaseSlot')).toHaveLength(1);
  });

  it('is tried again while that fails, whether refused or unknown', async () => {
    service.platform.outcomes.set('releaseSlot', { outcome: 'unknown', error: new DomainError('provider_timeout') });
    await expect(settle()).rejects.toThrow('provider_unavailable');
    service.platform.outcomes.set('releaseSlot', { outcome: 'refused', code: 'busy' });
    await expect(settle()).rejects.toThrow('provider_unavailable');
    expect(await settle()).toBe('moved_on');
    expect(await creator()).toMatchObject({ slot: { status: 'free' } });
  });

  it('of one that is no member any more is as good as given back', async () => {
    service.platform.outcomes.set('releaseSlot', { outcome: 'refused', code: 'not_found' });
    expect(await settle()).toBe('moved_on');
    expect(await creator()).toMatchObject({ slot: { status: 'free' } });
  });

  it('is never that of a creator that is active again', async () => {
    await service.creatorDid(mia, activationRequested, activated);
    await settle();
    expect([...service.platform.slots]).toEqual([miaUser]);
  });
});

it('has nothing to do for a creator that it does not know', async () => {
  expect(await settle()).toBe('moved_on');
});

describe('the end of a mandate (D40)', () => {
  const lapse = () => authorizationLapses(service.creators).handle(claimed('authorizationEnd', mia), 0);

  it('is recorded once it has passed by the clock, and once only', async () => {
    const expiresAt = new Date(since + 10).toISOString();
    const until = standingObserved({ authorization: { approved: true, status: 'approved', expiresAt } });
    await service.creatorDid(mia, ...linked, until);
    service.clock.set(since + 9);
    await lapse();
    expect(await creator()).toMatchObject({ hasLapsed: false });
    service.clock.set(since + 10);
    await lapse();
    const head = await service.log.head();
    await lapse();
    expect(await creator()).toMatchObject({ hasLapsed: true });
    expect(await service.log.head()).toBe(head);
  });
});
