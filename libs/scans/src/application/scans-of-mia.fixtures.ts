import type { ScanId } from '#kernel';
import { active, mia, miaUser, native } from '../../../creators/src/domain/creator.fixtures.js';
import { contextOf, scope, testedContext } from '../../../testing/src/tested-context.js';
import { cancelQueuedScan, completeScan, dispatchScan, rejectScan, scanDecider } from '../domain/scan.js';
import { scanAllowanceDecider } from '../domain/scan-allowance.js';
import { CancelAndReleaseScans } from '../processes/cancel-and-release-scans.js';
import { ScansModule } from '../scans.module.js';
import { QueueScan } from './queue-scan.js';

/** The service, whose creator Mia is active, and what happens to her scans. */
export const scansOfMia = async () => {
  const service = await testedContext([ScansModule]);
  const { runner } = service;
  service.platform.users.set(miaUser, native());
  await service.creatorDid(mia, ...active);
  return {
    service,
    commands: service.commands,
    queue: async (key = 'key') =>
      (await service.commands.execute(new QueueScan(mia, scope, key, contextOf()))).scan.scanId,
    dispatch: (scanId: ScanId) => runner.run(scanDecider, scanId, contextOf(), (scan) => dispatchScan(scan, [])),
    complete: (scanId: ScanId) => {
      const job = { jobId: 'j', status: 'completed', errorCode: null, finishedAt: null } as const;
      return runner.run(scanDecider, scanId, contextOf(), (scan, now) => completeScan(scan, job, now));
    },
    fail: (scanId: ScanId) =>
      runner.run(scanDecider, scanId, contextOf(), (scan, now) => rejectScan(scan, 'bad_handles', now)),
    cancel: (scanId: ScanId) =>
      runner.run(scanDecider, scanId, contextOf(), (scan, now) => cancelQueuedScan(scan, now)),
    /** The reaction sees the whole log. */
    react: () => service.show(service.get(CancelAndReleaseScans)),
    scan: async (scanId: ScanId) => (await runner.load(scanDecider, scanId)).state,
    pendingScan: async () => (await runner.load(scanAllowanceDecider, mia)).state.pending?.scanId,
  };
};

export type ScansOfMia = Awaited<ReturnType<typeof scansOfMia>>;
