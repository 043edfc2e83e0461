import { dueContext } from '#jobs';
import type { CommandRunner, DueHandler } from '#kernel';
import type { Scans } from '../application/scans.js';
import { isPending } from '../domain/scan.js';
import { scanAllowanceDecider } from '../domain/scan-allowance.js';

/** Opens the scan that was admitted when a crash came before its own stream was begun. */
export const scanAdmissions = (runner: CommandRunner, scans: Scans): DueHandler => ({
  kind: 'admission',
  concurrency: 8,
  async handle(item) {
    const { state } = await runner.load(scanAllowanceDecider, item.subject);
    // Admitted and released without a scan of its own, as its id was another creator's: the next admission moves it on.
    if (state.pending === null) return 'idle';
    const context = dueContext(item);
    const { scan } = await scans.open(state.pending, context);
    // A scheduled scan that was admitted a second time, after its end, takes no place.
    if (isPending(scan)) return 'done';
    await scans.release(scan.creatorId, scan.scanId, 'ended', context);
    return 'idle';
  },
});
