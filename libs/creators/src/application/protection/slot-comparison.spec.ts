import { beforeEach, describe, expect, it } from '@jest/globals';
import { type CreatorId, DomainError, Logger, MINUTE, SECOND, type UserId } from '#kernel';
import { RecordingLogger } from '#testing';
import { given } from '../../../../testing/src/test-ports.module.js';
import { contextOf, scope, type TestedContext, testedContext } from '../../../../testing/src/tested-context.js';
import { CreatorsModule } from '../../creators.module.js';
import { agency, eveUser, fact, miaUser, native, workspaceId } from '../../domain/creator.fixtures.js';
import { assertEnrolled } from '../../domain/creator.state.js';
import { RosterRepository } from '../access/creator.repository.js';
import { CreatorsOptions } from '../access/creator-ports.js';
import { SynchronizeRoster } from '../membership/synchronize-roster.js';
import { ActivateProtection, PauseProtection } from './change-protection.js';
import { ReleaseUnknownSlots, SlotComparison } from './slot-comparison.js';

const stranger = '0a000000-0000-4000-8000-00000000000f' as UserId;

let service: TestedContext;
let logger: RecordingLogger;
let comparison: SlotComparison;
let unknown: number[];
let mia: CreatorId;

beforeEach(async () => {
  logger = new RecordingLogger();
  unknown = [];
  const options = given(CreatorsOptions, {
    syncEvery: MINUTE,
    providerTimeout: SECOND,
    onUnknownSlots: (count: number) => unknown.push(count),
  });
  service = await testedContext([CreatorsModule], [options, given(Logger, logger)]);
  const { platform } = service;
  comparison = service.get(SlotComparison);
  for (const userId of [miaUser, eveUser]) platform.users.set(userId, native({ userId }));
  await synchronize();
  const { byUser } = (await service.get(RosterRepository).load(workspaceId)).state;
  mia = byUser.get(miaUser) as CreatorId;
  await service.commands.execute(new ActivateProtection(mia, scope, contextOf()));
  platform.calls.length = 0;
});

const synchronize = () => {
  service.clock.advance(1);
  return service.commands.execute(new SynchronizeRoster(agency, contextOf()));
};
const creator = async () => assertEnrolled((await service.creators.recorded(mia)).state);
const slotCalls = () => service.platform.calls.filter((call) => call.endsWith('Slot'));
const typesOfMia = async () => (await service.log.readStream(`creator-${mia}`)).map(({ type }) => type);

describe('comparing slots (D90)', () => {
  it('calls nothing where the list is as it is wanted', async () => {
    await synchronize();
    expect([slotCalls(), unknown.at(-1), logger.lines]).toEqual([[], 0, []]);
  });

  it('occupies again what the dashboard has released, with the fence of the state, and records nothing', async () => {
    const { fence } = (await creator()).slot;
    const before = await typesOfMia();
    service.platform.slots.clear();
    await synchronize();
    expect([...service.platform.slots]).toEqual([miaUser]);
    expect(service.platform.slotCalls.fences.get(miaUser)).toBe(fence);
    expect(await typesOfMia()).toEqual(before);
  });

  it('pauses protection with slot_lost where that is refused', async () => {
    service.platform.slots.clear();
    service.platform.totalSlots = 0;
    await synchronize();
    expect(await creator()).toMatchObject({ protection: { status: 'paused' }, membership: { status: 'current' } });
    const last = (await service.log.readStream(`creator-${mia}`)).at(-1);
    expect(last).toMatchObject({ type: 'creator.protectionPaused.v1', data: { reason: 'slot_lost' } });
  });

  it('releases what is held of a creator that needs none, never activated or paused', async () => {
    service.platform.slots.add(eveUser);
    await service.commands.execute(new PauseProtection(mia, scope, contextOf()));
    service.platform.slots.add(miaUser);
    await synchronize();
    expect([...service.platform.slots]).toEqual([]);
  });

  it('releases it also where the platform has seen a later fence, as after a restored backup', async () => {
    service.platform.slots.add(eveUser);
    service.platform.slotCalls.fences.set(eveUser, 5e15);
    await synchronize();
    expect([...service.platform.slots]).toEqual([miaUser]);
    expect(service.platform.slotCalls.fences.get(eveUser)).toBe(5e15 + 1);
  });

  it('leaves what is not confirmed to the worker that repeats its call', async () => {
    service.platform.outcomes.set('releaseSlot', { outcome: 'unknown', error: new DomainError('provider_timeout') });
    await service.commands.execute(new PauseProtection(mia, scope, contextOf()));
    service.platform.calls.length = 0;
    await synchronize();
    expect(slotCalls()).toEqual([]);
  });

  it('calls nothing for one that is missing', async () => {
    await service.creatorDid(mia, fact('memberNotFound', {}));
    service.platform.users.delete(miaUser);
    service.platform.slots.delete(miaUser);
    await comparison.compare(
      agency,
      new Map([[miaUser, mia]]),
      (await service.get(RosterRepository).load(workspaceId)).state.byUser,
      contextOf(),
    );
    expect(slotCalls()).toEqual([]);
  });

  it('counts and logs slots of users that this log does not know, and leaves them', async () => {
    service.platform.slots.add(stranger);
    await synchronize();
    expect([...service.platform.slots]).toEqual([miaUser, stranger]);
    expect(unknown.at(-1)).toBe(1);
    expect(logger.lines).toMatchObject([{ level: 'warn', fields: { agencyId: agency, slots: 1 } }]);
    expect(JSON.stringify(logger.lines)).not.toContain(stranger);
  });

  it('concludes nothing on a platform without that list, or where the list cannot be read', async () => {
    service.platform.slots.clear();
    service.platform.slotCalls.isListed = false;
    const before = unknown.length;
    await synchronize();
    service.platform.listSlots = () => Promise.reject(new DomainError('provider_unavailable'));
    expect(await synchronize()).toEqual({ retryAt: service.clock.now() + MINUTE });
    expect([slotCalls(), unknown.length]).toEqual([[], before]);
  });

  it('stops after some calls without an answer, so that a synchronization ends', async () => {
    const users = Array.from({ length: 9 }, (_, n) => `0b000000-0000-4000-8000-00000000000${n}` as UserId);
    for (const userId of users) service.platform.users.set(userId, native({ userId }));
    await synchronize();
    for (const userId of users) service.platform.slots.add(userId);
    let calls = 0;
    service.platform.releaseSlot = async () => {
      calls += 1;
      return { outcome: 'unknown', error: new DomainError('provider_timeout') };
    };
    await synchronize();
    expect(calls).toBe(3);
  });
});

describe('releasing slots of unknown users (D90)', () => {
  const release = () => service.commands.execute(new ReleaseUnknownSlots(agency, workspaceId));

  it('releases them above the fence that the list shows, and no others', async () => {
    service.platform.slots.add(stranger).add(eveUser);
    service.platform.slotCalls.fences.set(stranger, 5e15);
    expect(await release()).toEqual({ released: [stranger], failed: [] });
    expect([...service.platform.slots].sort()).toEqual([eveUser, miaUser].sort());
    expect(service.platform.slotCalls.fences.get(stranger)).toBe(5e15 + 1);
    expect(await release()).toEqual({ released: [], failed: [] });
  });

  it('reads a list of several pages', async () => {
    for (let n = 0; n < 450; n++) {
      service.platform.slots.add(`0c000000-0000-4000-8000-${String(n).padStart(12, '0')}` as UserId);
    }
    expect((await release()).released).toHaveLength(450);
  });

  it('says which ones the platform did not release', async () => {
    service.platform.slots.add(stranger);
    service.platform.outcomes.set('releaseSlot', { outcome: 'refused', code: 'busy' });
    expect(await release()).toEqual({ released: [], failed: [stranger] });
  });

  it('is refused on a platform without the list', async () => {
    service.platform.slotCalls.isListed = false;
    await expect(release()).rejects.toMatchObject({ code: 'invalid_request' });
  });
});
