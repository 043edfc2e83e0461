import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DATA_FILES, type EventLog, isOfLog, type WorkspaceId } from '#kernel';
import { eventsAfter } from '../log-walk.js';
import type { FolderAccess } from './check-backup.js';

/** What the replaced log has after the end of the restored one. */
export interface LostEvents {
  /** Null if the replaced log is not a continuation of the restored one, or cannot be read. */
  readonly lostEvents: number | null;
  readonly lostSeals: number;
  /** Whose feed loses events: an `after` that names one of them is unknown. */
  readonly lostFeeds: readonly WorkspaceId[];
}

const UNKNOWN: LostEvents = { lostEvents: null, lostSeals: 0, lostFeeds: [] };

export const lostEvents = async (from: string, to: string, access: FolderAccess): Promise<LostEvents> => {
  if (!existsSync(join(to, DATA_FILES.log))) return UNKNOWN;
  const [restored, replaced] = [access.log(from), access.log(to)];
  try {
    return await comparedWith(restored, replaced);
  } catch {
    // A damaged log is a reason to restore, and no reason not to.
    return UNKNOWN;
  } finally {
    await restored.close();
    await replaced.close();
  }
};

const comparedWith = async (restored: EventLog, replaced: EventLog): Promise<LostEvents> => {
  const { last: event } = await restored.readLog({ after: await restored.head(), limit: 1 });
  const position = event?.position ?? 0;
  if (!(await isOfLog(replaced, { position, event }))) return UNKNOWN;
  const feeds = new Set<WorkspaceId>();
  let lost = 0;
  let seals = 0;
  for await (const { type, metadata } of eventsAfter(replaced, position)) {
    lost++;
    if (type === 'seal.sealed.v1') seals++;
    if (type === 'eventFeed.eventPublished.v1' && metadata.workspaceId !== null) feeds.add(metadata.workspaceId);
  }
  return { lostEvents: lost, lostSeals: seals, lostFeeds: [...feeds] };
};
