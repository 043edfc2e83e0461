import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DomainError } from '#kernel';
import { eveUser, miaUser, native } from '../../domain/creator.fixtures.js';
import { isAccessible } from '../../domain/creator.state.js';
import { linkOfMia, stage } from '../../stage.fixtures.js';
import { isFound } from '../access/loaded-creator.js';

/** Mia, one slot, and another creator's dashboard that takes it whenever it is free. */
const aStory = async () => {
  const s = await stage();
  s.platform.totalSlots = 1;
  s.platform.users.set(miaUser, native());
  const { creatorId } = (await s.linkCreator(s.scope, linkOfMia, s.context)).creator;
  const refresh = async (synchronizedSince: number | null) => {
    const creator = await s.creators.recorded(creatorId);
    if (isFound(creator)) await s.creators.refresh(creator, s.context, synchronizedSince);
  };
  const moves = {
    /** Seen by a read, because an absence between two reads is not noticed. */
    leaves: async () => {
      s.platform.users.delete(miaUser);
      s.platform.slots.delete(miaUser);
      await refresh(null);
    },
    comesBack: async () => {
      s.platform.users.set(miaUser, native());
    },
    slotIsTaken: async () => {
      if (s.platform.slots.size === 0) s.platform.slots.add(eveUser);
    },
    slotIsFreed: async () => {
      s.platform.slots.delete(eveUser);
    },
    answerIsLost: async () => {
      s.platform.outcomes.set('occupySlot', { outcome: 'unknown', error: new DomainError('provider_timeout') });
    },
    isRead: () => s.observeCreator(creatorId, s.scope, s.context),
    isListed: async () => (await s.observeRoster(s.scope, { limit: 10 }, s.context)).creators[0],
    isWalked: async () => void (await s.walkRoster(s.scope, { limit: 10 }, s.context)),
    isSynchronized: () => refresh(s.clock.now()),
    isActivated: () => s.activateProtection(creatorId, s.scope, s.context),
    isPaused: () => s.pauseProtection(creatorId, s.scope, s.context),
    isSettled: async () => void (await s.settleSlot(creatorId, s.context)),
  };
  return { s, creatorId, moves };
};

type Move = keyof Awaited<ReturnType<typeof aStory>>['moves'];
const MOVES: readonly Move[] = [
  'leaves',
  'comesBack',
  'slotIsTaken',
  'slotIsFreed',
  'answerIsLost',
  'isRead',
  'isListed',
  'isWalked',
  'isSynchronized',
  'isActivated',
  'isPaused',
  'isSettled',
];
const REFUSALS = ['not_found', 'provider_timeout', 'provider_unavailable', 'capacity_reached', 'creator_not_eligible'];

it('a creator that a request has just shown as active occupies its slot, after any history (D77)', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...MOVES), { maxLength: 30, size: 'max' }), async (story) => {
      const { s, creatorId, moves } = await aStory();
      for (const move of story) {
        s.clock.advance(1_000);
        const shown = await moves[move]().catch((error: unknown) => {
          if (!(error instanceof DomainError) || !REFUSALS.includes(error.code)) throw error;
        });
        if (shown?.protection.status === 'active') expect(s.platform.slots.has(miaUser)).toBe(true);
      }
      s.platform.outcomes.clear();
      s.clock.advance(60_000);
      const { creators } = await s.observeRoster(s.scope, { limit: 10 }, s.context);
      const isMember = s.platform.users.has(miaUser);
      expect(creators.map((creator) => creator.creatorId)).toEqual(isMember ? [creatorId] : []);
      const isActive = creators[0]?.protection.status === 'active';
      if (isActive) expect(s.platform.slots.has(miaUser)).toBe(true);
      if (!isActive && isMember) {
        await s.settleSlot(creatorId, s.context);
        expect(s.platform.slots.has(miaUser)).toBe(false);
        expect(isAccessible((await s.creators.recorded(creatorId)).state)).toBe(true);
      }
    }),
    { numRuns: 150 },
  );
});
