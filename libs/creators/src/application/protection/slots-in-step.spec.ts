import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DomainError, type Instant, SECOND } from '#kernel';
import { eveUser, miaUser, native } from '../../domain/creator.fixtures.js';
import { isAccessible } from '../../domain/creator.state.js';
import { linkOfMia, stage } from '../../stage.fixtures.js';
import { isFound } from '../access/creator-ports.js';

/**
 * Mia, one slot, another creator's dashboard that takes it whenever it is free, and a platform that applies calls without an
 * answer later, in any order, or never.
 */
const aStory = async () => {
  const s = await stage();
  s.platform.totalSlots = 1;
  s.platform.users.set(miaUser, native());
  const { creatorId } = (await s.linkCreator(s.scope, linkOfMia, s.context)).creator;
  const toLose = new Set<'occupySlot' | 'releaseSlot'>();
  const lost: (() => Promise<unknown>)[] = [];
  for (const call of ['occupySlot', 'releaseSlot'] as const) {
    const apply = s.platform[call].bind(s.platform);
    s.platform[call] = async (agencyId, userId, fence) => {
      if (!toLose.delete(call)) return apply(agencyId, userId, fence);
      lost.push(() => apply(agencyId, userId, fence));
      return { outcome: 'unknown', error: new DomainError('provider_timeout') };
    };
  }
  const arrives = async (index: number) => {
    const [call] = lost.splice(index, 1);
    await call?.();
  };
  const refresh = async (synchronizedSince: Instant | null) => {
    const creator = await s.creators.recorded(creatorId);
    if (isFound(creator)) await s.creators.refresh(creator, s.context, synchronizedSince);
  };
  const pause = () => s.pauseProtection(creatorId, s.scope, s.context);
  const moves = {
    isActivated: () => s.activateProtection(creatorId, s.scope, s.context),
    isPaused: pause,
    isSettled: async () => void (await s.settleSlot(creatorId, s.context)),
    isRead: () => s.observeCreator(creatorId, s.scope, s.context),
    isListed: async () => (await s.observeRoster(s.scope, { limit: 10 }, s.context)).creators[0],
    isWalked: async () => void (await s.walkRoster(s.scope, { limit: 10 }, s.context)),
    isSynchronized: () => refresh(s.clock.now()),
    nextOccupationIsLost: async () => void toLose.add('occupySlot'),
    isPausedAndReleaseIsLost: () => {
      toLose.add('releaseSlot');
      return pause();
    },
    firstLostCallArrives: () => arrives(0),
    lastLostCallArrives: () => arrives(-1),
    /** Seen by a read, because an absence between two reads is not noticed. */
    leaves: async () => {
      s.platform.users.delete(miaUser);
      s.platform.slots.delete(miaUser);
      await refresh(null);
    },
    comesBack: async () => void s.platform.users.set(miaUser, native()),
    slotIsTaken: async () => {
      if (s.platform.slots.size === 0) s.platform.slots.add(eveUser);
    },
    slotIsFreed: async () => void s.platform.slots.delete(eveUser),
  };
  return { s, creatorId, moves, toLose, lost };
};

type Move = keyof Awaited<ReturnType<typeof aStory>>['moves'];
const ON_TIME: readonly Move[] = [
  ...(['isActivated', 'isPaused', 'isSettled', 'isRead', 'isListed', 'isWalked', 'isSynchronized'] as const),
  ...(['nextOccupationIsLost', 'leaves', 'comesBack', 'slotIsTaken', 'slotIsFreed'] as const),
];
/** Moves on which a late call depends come more often. */
const LATE: readonly Move[] = [
  ...Array<Move[]>(4).fill(['isActivated', 'isPausedAndReleaseIsLost', 'firstLostCallArrives']).flat(),
  ...ON_TIME.filter((move) => move !== 'isListed' && move !== 'isWalked'),
  'lastLostCallArrives',
];

/** An agency or the worker is refused with these. */
const ignoreRefusal = (error: unknown): undefined => {
  if (!(error instanceof DomainError)) throw error;
};

it('a creator that a request has just shown as active occupies its slot, after any history (D77)', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...ON_TIME), { maxLength: 30, size: 'max' }), async (story) => {
      const { s, creatorId, moves, toLose } = await aStory();
      for (const move of story) {
        s.clock.advance(SECOND);
        const shown = await moves[move]().catch(ignoreRefusal);
        if (shown?.protection.status === 'active') expect(s.platform.slots.has(miaUser)).toBe(true);
      }
      toLose.clear();
      s.clock.advance(60 * SECOND);
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

it('a creator has a slot exactly while it is active, once the worker has settled, whenever lost calls arrive (D90)', async () => {
  const step = fc.record({ move: fc.constantFrom(...LATE), after: fc.integer({ min: 0, max: 6 }) });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30, size: 'max' }), async (story) => {
      const { s, creatorId, moves, toLose, lost } = await aStory();
      for (const { move, after } of story) {
        s.clock.advance(after * SECOND);
        await moves[move]().catch(ignoreRefusal);
      }
      toLose.clear();
      await moves.comesBack();
      // A missing creator is seen again, which may have to occupy its slot again.
      for (const move of ['isSettled', 'isRead', 'isSettled', 'isSettled'] as const) {
        s.clock.advance(60 * SECOND);
        await moves[move]().catch(ignoreRefusal);
      }
      // The others arrive now, however late that is, and change nothing any more.
      while (lost.length > 0) await moves.lastLostCallArrives();
      const { protection } = await s.observeCreator(creatorId, s.scope, s.context);
      expect(s.platform.slots.has(miaUser)).toBe(protection.status === 'active');
    }),
    { numRuns: 300 },
  );
});
