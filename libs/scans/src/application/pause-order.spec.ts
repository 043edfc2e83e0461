import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DomainError, type Position, type ScanId, streamName } from '#kernel';
import { ActivateProtection, PauseProtection } from '../../../creators/src/application/protection/change-protection.js';
import { active, mia, miaUser, native } from '../../../creators/src/domain/creator.fixtures.js';
import { contextOf, scope, testedContext } from '../../../testing/src/tested-context.js';
import { scanDecider } from '../domain/scan.js';
import { CancelAndReleaseScans } from '../processes/cancel-and-release-scans.js';
import { ScansModule } from '../scans.module.js';
import { AdvanceScan } from './advance-scan.js';
import { QueueScan } from './queue-scan.js';

type Move = 'pause' | 'activate' | 'queue' | 'reaction' | 'dispatch';
const MOVES: readonly Move[] = ['pause', 'activate', 'queue', 'reaction', 'dispatch'];

/** The API's requests, and a worker whose reaction and dispatch run at any time between them. */
const aStory = async () => {
  const service = await testedContext([ScansModule]);
  const { log } = service;
  const reaction = service.get(CancelAndReleaseScans);
  service.platform.users.set(miaUser, native());
  await service.creatorDid(mia, ...active);
  const queued: ScanId[] = [];
  const moves: Record<Move, () => Promise<unknown>> = {
    pause: () => service.commands.execute(new PauseProtection(mia, scope, contextOf())),
    activate: () => service.commands.execute(new ActivateProtection(mia, scope, contextOf())),
    queue: async () => {
      const { scan } = await service.commands.execute(new QueueScan(mia, scope, `key ${queued.length}`, contextOf()));
      queued.push(scan.scanId);
    },
    reaction: () => service.show(reaction),
    dispatch: () => Promise.all(queued.map((scanId) => service.commands.execute(new AdvanceScan(scanId, contextOf())))),
  };
  const positions = async (stream: `${string}-${string}`, type: string): Promise<Position[]> =>
    (await log.readStream(stream)).filter((event) => event.type === type).map(({ position }) => position);
  return { service, queued, moves, positions };
};

it('a pause cancels what was queued before it and is not dispatched, and nothing that was queued after (D79)', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...MOVES), { maxLength: 16, size: 'max' }), async (story) => {
      const { service, queued, moves, positions } = await aStory();
      for (const move of [...story, 'reaction', 'dispatch'] as const) {
        await moves[move]().catch((error: unknown) => {
          const isRefusal =
            error instanceof DomainError &&
            ['scan_in_progress', 'creator_not_eligible', 'scan_limit_reached'].includes(error.code);
          if (!isRefusal) throw error;
        });
      }
      const pauses = await positions(streamName('creator', mia), 'creator.protectionPaused.v1');
      for (const scanId of queued) {
        const { state } = await service.runner.load(scanDecider, scanId);
        const [queuedAt = 0] = await positions(streamName('scan', scanId), 'scan.queued.v1');
        const [sentAt = Number.POSITIVE_INFINITY] = await positions(
          streamName('scan', scanId),
          'scan.dispatchStarted.v1',
        );
        const isPausedBetween = pauses.some((pausedAt) => pausedAt > queuedAt && pausedAt < sentAt);
        expect([scanId, state.status]).toEqual([scanId, isPausedBetween ? 'cancelled' : 'dispatching']);
      }
    }),
    { numRuns: 100 },
  );
});
