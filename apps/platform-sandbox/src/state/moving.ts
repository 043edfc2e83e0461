import type { Collection } from './collection.js';
import type { ScanJobRecord, SubmissionRecord } from './records.js';

/** The group of records that advance automatically, ordered by the time of their next step. */
export const MOVING = 'moving';

const RUNNING_AFTER = 0.25;

export function nextMoveOfJob({ status, created_at, duration_ms }: ScanJobRecord): number {
  return created_at + Math.ceil(status === 'queued' ? duration_ms * RUNNING_AFTER : duration_ms);
}

export function nextMoveOfSubmission({ updated_at, step_ms }: SubmissionRecord): number {
  return updated_at + (step_ms ?? 0);
}

/** Those whose next move is due, all taken before any of them moves. */
export function due<R>(collection: Collection<R>, nextMove: (record: R) => number, now: number): R[] {
  const found: R[] = [];
  for (const record of collection.ascending(MOVING)) {
    if (nextMove(record) > now) break;
    found.push(record);
  }
  return found;
}
