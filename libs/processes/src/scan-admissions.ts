import type { CommandRunner, DueHandler } from '#kernel';
import { type Scans, scanAllowanceDecider } from '#scans';
import { dueContext } from './due-context.js';

/** Opens the scan that was admitted when a crash came before its own stream was begun. */
export const scanAdmissions = (runner: CommandRunner, scans: Scans): DueHandler => ({
  kind: 'admission',
  concurrency: 8,
  async handle(item) {
    const { state } = await runner.load(scanAllowanceDecider, item.subject);
    if (state.pending !== null) await scans.open(state.pending, dueContext(item));
    return 'moved_on';
  },
});
