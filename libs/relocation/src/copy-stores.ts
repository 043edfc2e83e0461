import type { EventLog } from '#kernel';
import type { PersonalKeyStore } from '#personal-data';
import { type CopiedKeys, copyKeys, copyLastSeal } from './copy-keys.js';
import { type CopiedLog, copyLog, type LogProgress } from './copy-log.js';

export interface RelocatedStores {
  readonly log: EventLog;
  readonly personalKeys: PersonalKeyStore;
}

/**
 * Copies the log and then the keys. Each key is stored before the first event that needs it, so a source that is in use
 * may go on: every event in the target has its key there, and the seal that is remembered there is in its log.
 */
export const copyStores = async (
  source: RelocatedStores,
  target: RelocatedStores,
  onProgress?: (progress: LogProgress) => void,
): Promise<{ readonly log: CopiedLog; readonly keys: CopiedKeys }> => {
  const lastSeal = await source.personalKeys.lastSeal();
  const log = await copyLog(source.log, target.log, onProgress);
  const keys = await copyKeys(source.personalKeys, target.personalKeys);
  await copyLastSeal(lastSeal, target.personalKeys);
  return { log, keys };
};
