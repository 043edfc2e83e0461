import { type CommandRunner, DAY, type DueHandler } from '#kernel';
import { isPending, type Scans, scanAllowanceDecider } from '#scans';
import { dueContext } from './due-context.js';

/** Opens the scan that was admitted when a crash came before its own stream was begun. */
export const scanAdmissions = (runner: CommandRunner, scans: Scans): DueHandler => ({
  kind: 'admission',
  concurrency: 8,
  async handle(item, now) {
    const { state } = await runner.load(scanAllowanceDecider, item.subject);
    // Admitted and released without a scan of its own, as its id was another creator's: the next admission moves it on.
    if (state.pending === null) return { again: now + DAY };
    const context = dueContext(item);
    const { scan } = await scans.open(state.pending, context);
    // A scheduled scan that was admitted a second time, after its end, takes no place.
    if (isPending(scan)) return 'moved_on';
    await scans.release(scan.creatorId, scan.scanId, 'ended', context);
    return { again: now + DAY };
  },
});
