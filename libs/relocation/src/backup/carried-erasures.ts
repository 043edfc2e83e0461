import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type CreatorId, DATA_FILES, type EventLog, type RecordedEvent } from '#kernel';
import { eventsAfter } from '../log-walk.js';
import type { FolderAccess } from './check-backup.js';

const CARRIED = new Set(['roster.nativeUserLinked.v1', 'roster.creatorErased.v1']);

/**
 * What rosters in the logs of these folders have recorded of creators that were erased: their users, and hashes of
 * their external ids (D72), which nobody can make from the restored log, because the keys stay destroyed.
 */
export const carriedErasures = async (
  folders: readonly string[],
  creators: readonly CreatorId[],
  access: FolderAccess,
): Promise<ReadonlyMap<CreatorId, readonly RecordedEvent[]>> => {
  const found = new Map<CreatorId, RecordedEvent[]>();
  if (creators.length === 0) return found;
  for (const folder of folders.filter((each) => existsSync(join(each, DATA_FILES.log)))) {
    const log = access.log(folder);
    try {
      for await (const [id, event] of erasuresIn(log, creators)) found.set(id, [...(found.get(id) ?? []), event]);
    } catch {
      // A damaged log is a reason to restore. Without the hashes, every enrollment of these creators is refused.
    } finally {
      await log.close();
    }
  }
  return found;
};

async function* erasuresIn(
  log: EventLog,
  creators: readonly CreatorId[],
): AsyncGenerator<[CreatorId, RecordedEvent], void> {
  for await (const event of eventsAfter(log, 0, CARRIED)) {
    const { creatorId }: { readonly creatorId?: unknown } = event.data;
    const id = creators.find((each) => each === creatorId);
    if (id !== undefined) yield [id, event];
  }
}
