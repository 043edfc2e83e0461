import { type EventLog, eventsOf, KeyedQueue, type WorkspaceId } from '#kernel';
import { type ProtectionInterval, protectionIntervals, SWITCHES } from '../domain/protection-intervals.js';

/** Reads the intervals of a workspace from the log: one scan at a time, because each reads those of all workspaces. */
export class ProtectionScans {
  private readonly waiting = new Map<WorkspaceId, Promise<readonly ProtectionInterval[]>>();

  constructor(
    private readonly log: EventLog,
    private readonly queue = new KeyedQueue(),
  ) {}

  /** Requests of a workspace share its scan that has not begun: many of them delay another agency by two scans at most. */
  of(workspaceId: WorkspaceId): Promise<readonly ProtectionInterval[]> {
    const waiting = this.waiting.get(workspaceId);
    if (waiting !== undefined) return waiting;
    const scan: Promise<readonly ProtectionInterval[]> = this.queue.run('log', async () => {
      // Also a scan that waits for no other one is in the map before it begins.
      await Promise.resolve();
      forget();
      return protectionIntervals(eventsOf(this.log, { types: new Set(SWITCHES) }), workspaceId);
    });
    const forget = () => {
      if (this.waiting.get(workspaceId) === scan) this.waiting.delete(workspaceId);
    };
    this.waiting.set(workspaceId, scan);
    // After an outage, the queue refuses a scan that has not begun.
    scan.catch(forget);
    return scan;
  }
}
