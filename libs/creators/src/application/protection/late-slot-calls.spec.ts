import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DomainError, type Instant, SECOND } from '#kernel';
import { eveUser, miaUser, native } from '../../domain/creator.fixtures.js';
import { linkOfMia, stage } from '../../stage.fixtures.js';
import { isFound } from '../access/loaded-creator.js';

/** Mia, one slot, and a platform that applies calls without an answer later, in any order, or never. */
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
    isSettled: () => s.settleSlot(creatorId, s.context),
    isRead: () => s.observeCreator(creatorId, s.scope, s.context),
    nextOccupationIsLost: async () => toLose.add('occupySlot'),
    isPausedAndReleaseIsLost: () => {
      toLose.add('releaseSlot');
      return pause();
    },
    firstLostCallArrives: () => arrives(0),
    lastLostCallArrives: () => arrives(-1),
    leaves: async () => {
      s.platform.users.delete(miaUser);
      s.platform.slots.delete(miaUser);
      await refresh(null);
    },
    comesBack: async () => s.platform.users.set(miaUser, native()),
    isSynchronized: () => refresh(s.clock.now()),
    slotIsTaken: async () => {
      if (s.platform.slots.size === 0) s.platform.slots.add(eveUser);
    },
    slotIsFreed: async () => s.platform.slots.delete(eveUser),
  };
  return { s, creatorId, moves, toLose, lost };
};

type Move = keyof Awaited<ReturnType<typeof aStory>>['moves'];
/** Those on which a late call depends come more often. */
const MOVES: readonly Move[] = [
  ...Array<Move[]>(4).fill(['isActivated', 'isPausedAndReleaseIsLost', 'firstLostCallArrives']).flat(),
  'isPaused',
  'isSettled',
  'isRead',
  'nextOccupationIsLost',
  'lastLostCallArrives',
  'leaves',
  'comesBack',
  'isSynchronized',
  'slotIsTaken',
  'slotIsFreed',
];
const step = fc.record({ move: fc.constantFrom(...MOVES), after: fc.integer({ min: 0, max: 6 }) });

/** All that an agency or the worker is refused with. */
const ignoreRefusal = (error: unknown): undefined => {
  if (!(error instanceof DomainError)) throw error;
};

it('a creator has a slot exactly while it is active, once the worker has settled, whenever lost calls arrive (D90)', async () => {
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
