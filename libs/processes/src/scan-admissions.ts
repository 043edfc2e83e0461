import type { CommandRunner, DueHandler } from '#kernel';
import { isPending, type Scans, scanAllowanceDecider } from '#scans';
import { dueContext } from './due-context.js';

/** Opens the scan that was admitted when a crash came before its own stream was begun. */
export const scanAdmissions = (runner: CommandRunner, scans: Scans): DueHandler => ({
  kind: 'admission',
  concurrency: 8,
  async handle(item) {
    const { state } = await runner.load(scanAllowanceDecider, item.subject);
    if (state.pending === null) return 'moved_on';
    const context = dueContext(item);
    const { scan } = await scans.open(state.pending, context);
    // A scheduled scan that was admitted a second time, after its end, takes no place.
    if (!isPending(scan)) await scans.release(scan.creatorId, scan.scanId, 'ended', context);
    return 'moved_on';
  },
});
