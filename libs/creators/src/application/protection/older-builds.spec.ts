import { beforeEach, describe, expect, it } from '@jest/globals';
import { MINUTE } from '#kernel';
import { contextOf, type TestedContext, testedContext } from '../../../../testing/src/tested-context.js';
import { CreatorsModule } from '../../creators.module.js';
import type { CreatorEvent } from '../../domain/creator.events.js';
import {
  abandoned,
  activated,
  activating,
  activationRequested,
  active,
  fact,
  linked,
  mia,
  miaUser,
  native,
  paused,
} from '../../domain/creator.fixtures.js';
import { assertEnrolled } from '../../domain/creator.state.js';
import { SettleSlot } from './change-protection.js';

const repeatedRelease = fact('slotReleased', { mayBeRepeat: true });
const reoccupation = fact('slotReoccupationRequested', {});
const reoccupied = fact('slotReoccupied', {});
const missing = fact('memberNotFound', {});
const shown = fact('memberFound', {});

let service: TestedContext;
beforeEach(async () => {
  service = await testedContext([CreatorsModule]);
  service.platform.users.set(miaUser, native());
});

type Story = [stream: string, past: readonly CreatorEvent[], isActive: boolean];

describe('a stream that an older build left in the middle is continued (D90)', () => {
  it.each<Story>([
    ['an activation without an outcome', activating, false],
    ['an activation whose call was repeated', [...activating, activationRequested], false],
    ['an activation that was abandoned', [...activating, abandoned('unsettled')], false],
    ['an activation that was paused during its call', [...activating, abandoned('paused')], false],
    ['an activation that was refused', [...activating, abandoned('capacity_reached')], false],
    [
      'an activation confirmed after it was abandoned and released',
      [...activating, abandoned('unsettled'), repeatedRelease, abandoned('unsettled')],
      false,
    ],
    ['a pause whose slot is not released', [...active, paused], false],
    ['a slot that was lost', [...active, fact('protectionPaused', { reason: 'slot_lost' })], false],
    ['a release that may follow once more', [...active, paused, repeatedRelease], false],
    ['an activation before the release of the pause before', [...active, paused, activationRequested], false],
    [
      'an activation that a late release may follow',
      [...active, paused, activationRequested, activated, reoccupation],
      true,
    ],
    ['the same, paused again', [...active, paused, activationRequested, activated, reoccupation, paused], false],
    ['the same, occupied again', [...active, paused, activationRequested, activated, reoccupation, reoccupied], true],
    ['an active creator that is seen again', [...active, missing, reoccupation], true],
    [
      'the same, shown, and a late release may follow',
      [...active, missing, reoccupation, reoccupied, shown, reoccupation],
      true,
    ],
    ['the same, paused before its slot was occupied', [...active, missing, reoccupation, paused, shown], false],
  ])('%s', async (_stream, past, isActive) => {
    await service.creatorDid(mia, ...past);
    service.platform.slots.add(miaUser);
    service.clock.advance(MINUTE);
    expect(await service.commands.execute(new SettleSlot(mia, contextOf()))).toBe('idle');
    const creator = assertEnrolled((await service.creators.recorded(mia)).state);
    expect(creator).toMatchObject({
      membership: { status: 'current' },
      slot: { isWanted: isActive, isConfirmed: true },
    });
    expect(creator.protection.status === 'active').toBe(isActive);
    const isReleased = past.at(-1) === repeatedRelease;
    if (!isReleased) expect(service.platform.slots.has(miaUser)).toBe(isActive);
  });

  it('with the microseconds of its intent as the fence', async () => {
    await service.creatorDid(mia, ...linked);
    service.clock.advance(MINUTE);
    await service.creatorDid(mia, activationRequested, activated);
    const events = await service.log.readStream(`creator-${mia}`);
    const intent = events.find(({ type }) => type === 'creator.activationRequested.v1');
    const { slot } = assertEnrolled((await service.creators.recorded(mia)).state);
    expect(slot.fence).toBe((intent?.metadata.at ?? 0) * 1_000);
  });
});
