import type { EventLog } from '#kernel';
import type { PersonalKeyStore } from '#personal-data';
import { type CopiedKeys, copyKeys, copyLastSeal, markUnfinished, requirePartOf } from './copy-keys.js';
import { type CopiedLog, copyLog, type LogProgress } from './copy-log.js';

export interface RelocatedStores {
  readonly log: EventLog;
  readonly personalKeys: PersonalKeyStore;
}

/** D106: an interrupted copy is one that nothing starts with. Each key is stored before the first event that needs it, so that a source in use may go on. */
export const copyStores = async (
  source: RelocatedStores,
  target: RelocatedStores,
  onProgress?: (progress: LogProgress) => void,
): Promise<{ readonly log: CopiedLog; readonly keys: CopiedKeys }> => {
  const lastSeal = await source.personalKeys.lastSeal();
  await requirePartOf(source.personalKeys, target.personalKeys);
  const log = await copyLog(source.log, target.log, onProgress, () => markUnfinished(target.personalKeys));
  await copyLastSeal(lastSeal, target.personalKeys);
  const keys = await copyKeys(source.personalKeys, target.personalKeys);
  return { log, keys };
};
