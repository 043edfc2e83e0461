import { beforeEach, describe, expect, it } from '@jest/globals';
import { DAY, DomainError, MINUTE, SECOND } from '#kernel';
import { contextOf, owner, type TestedContext, testedContext } from '../../../../testing/src/tested-context.js';
import { CreatorsModule } from '../../creators.module.js';
import {
  activated,
  activating,
  activationRequested,
  active,
  agency,
  fact,
  mia,
  miaUser,
  native,
  paused,
} from '../../domain/creator.fixtures.js';
import { SettleSlot } from './change-protection.js';

let service: TestedContext;
let since: number;

beforeEach(async () => {
  service = await testedContext([CreatorsModule]);
  service.platform.users.set(miaUser, native());
  service.platform.slots.add(miaUser);
  since = service.clock.now();
});

const settle = () => service.commands.execute(new SettleSlot(mia, contextOf()));
const setKyc = (kycStatus: 'approved' | 'pending') =>
  service.directory.put({ id: agency, name: '', onboardingComplete: true, kycStatus, ownerUserId: owner });
const creator = async () => {
  const { state } = await service.creators.recorded(mia);
  if (state.status === 'unknown') throw new Error('no creator');
  return state;
};

describe('an activation without a recorded outcome (D42)', () => {
  beforeEach(() => service.creatorDid(mia, ...activating));

  it('stays as it is for 30 seconds', async () => {
    service.clock.advance(30 * SECOND - 1);
    expect(await settle()).toEqual({ retryAt: since + 30 * SECOND });
    expect(await creator()).toMatchObject({ slot: { isWanted: true, isConfirmed: false } });
    expect([...service.platform.slots]).toEqual([miaUser]);
  });

  it('is abandoned after that, and its slot is released', async () => {
    service.clock.advance(30 * SECOND);
    expect(await settle()).toBe('idle');
    expect(await creator()).toMatchObject({
      slot: { isWanted: false, isConfirmed: true },
      protection: { status: 'not_activated' },
    });
    expect([...service.platform.slots]).toEqual([]);
  });

  it('is abandoned too if the clock that recorded it was ahead (D93)', async () => {
    service.clock.jump(-365 * DAY);
    expect(await settle()).toBe('idle');
    expect([...service.platform.slots]).toEqual([]);
  });

  it('keeps its slot if the outcome was recorded in the end', async () => {
    await service.creatorDid(mia, activated);
    service.clock.advance(30 * SECOND);
    expect(await settle()).toBe('idle');
    expect([...service.platform.slots]).toEqual([miaUser]);
  });
});

describe('a slot that is no longer needed', () => {
  beforeEach(() => service.creatorDid(mia, ...active, paused));

  it('is released', async () => {
    expect(await settle()).toBe('idle');
    expect([...service.platform.slots]).toEqual([]);
    expect(await creator()).toMatchObject({ slot: { isWanted: false, isConfirmed: true } });
  });

  it('is released for a denied agency too', async () => {
    setKyc('pending');
    expect(await settle()).toBe('idle');
    expect([...service.platform.slots]).toEqual([]);
  });

  it('is released once', async () => {
    await settle();
    await settle();
    expect(service.platform.calls.filter((call) => call === 'releaseSlot')).toHaveLength(1);
  });

  it('is released again after a refused or unknown release', async () => {
    service.platform.outcomes.set('releaseSlot', { outcome: 'unknown', error: new DomainError('provider_timeout') });
    await expect(settle()).rejects.toThrow('provider_timeout');
    service.platform.outcomes.set('releaseSlot', { outcome: 'refused', code: 'busy' });
    await expect(settle()).rejects.toThrow('provider_unavailable');
    expect(await settle()).toBe('idle');
    expect(await creator()).toMatchObject({ slot: { isWanted: false, isConfirmed: true } });
  });

  it('counts as released after a 404 only if the membership has ended (D90)', async () => {
    const gone = { outcome: 'refused', code: 'not_found' } as const;
    service.platform.outcomes.set('releaseSlot', gone);
    await expect(settle()).rejects.toThrow('provider_unavailable');
    await service.creatorDid(mia, fact('memberNotFound', {}), fact('membershipEnded', {}));
    service.platform.outcomes.set('releaseSlot', gone);
    expect(await settle()).toBe('idle');
    expect(await creator()).toMatchObject({ slot: { isWanted: false, isConfirmed: true } });
  });

  it('is not released after the creator has been activated again', async () => {
    await service.creatorDid(mia, activationRequested, activated);
    await settle();
    expect([...service.platform.slots]).toEqual([miaUser]);
  });
});

describe('an active creator that was missing and is seen again (D77)', () => {
  beforeEach(async () => {
    await service.creatorDid(mia, ...active, fact('memberNotFound', {}), fact('slotReoccupationRequested', {}));
    service.platform.slots.clear();
  });

  it('has its slot occupied, and is shown', async () => {
    expect(await settle()).toBe('idle');
    expect([...service.platform.slots]).toEqual([miaUser]);
    expect(await creator()).toMatchObject({
      slot: { isWanted: true, isConfirmed: true },
      membership: { status: 'current' },
    });
  });

  it('is tried again while the outcome is unknown', async () => {
    service.platform.outcomes.set('occupySlot', { outcome: 'unknown', error: new DomainError('provider_timeout') });
    await expect(settle()).rejects.toThrow('provider_timeout');
    expect(await creator()).toMatchObject({
      slot: { isWanted: true, isConfirmed: false },
      membership: { status: 'missing' },
    });
    await settle();
    expect(await creator()).toMatchObject({ protection: { status: 'active' }, membership: { status: 'current' } });
  });

  it('waits while its agency is denied (D19)', async () => {
    setKyc('pending');
    expect(await settle()).toEqual({ retryAt: service.clock.now() + MINUTE });
    expect(service.platform.calls).toEqual([]);
    setKyc('approved');
    await settle();
    expect([...service.platform.slots]).toEqual([miaUser]);
  });

  it('is paused and shown if the slot is refused', async () => {
    service.platform.outcomes.set('occupySlot', { outcome: 'refused', code: 'capacity_reached' });
    await expect(settle()).rejects.toThrow('provider_unavailable');
    expect(await creator()).toMatchObject({ protection: { status: 'paused' }, membership: { status: 'current' } });
    expect(await settle()).toBe('idle');
    expect(await creator()).toMatchObject({ slot: { isWanted: false, isConfirmed: true } });
  });
});

it('has nothing to do for an unknown creator', async () => {
  expect(await settle()).toBe('idle');
});
