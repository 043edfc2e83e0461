import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type CreatorId, DATA_FILES, type Instant } from '#kernel';
import type { LastSeal, PersonalKeyStore } from '#personal-data';
import type { FolderAccess } from './check-backup.js';

/** What a restored key store must not forget of the one that it replaces. */
export interface CarriedKeys {
  readonly destroyed: ReadonlyMap<CreatorId, Instant>;
  readonly seals: readonly { readonly seal: LastSeal; readonly sentinel: Buffer | undefined }[];
}

/** Of the key stores of these folders that are there. */
export const carriedKeys = async (folders: readonly string[], access: FolderAccess): Promise<CarriedKeys> => {
  const destroyed = new Map<CreatorId, Instant>();
  const seals: CarriedKeys['seals'][number][] = [];
  for (const folder of folders) {
    if (!existsSync(join(folder, DATA_FILES.keys))) continue;
    const store = access.personalKeys(folder);
    try {
      for await (const [creatorId, key] of store.all())
        if (key.status === 'destroyed') destroyed.set(creatorId, key.at);
      const seal = await store.lastSeal();
      if (seal !== undefined) seals.push({ seal, sentinel: await store.sentinel() });
    } finally {
      await store.close();
    }
  }
  return { destroyed, seals };
};

export interface ErasedCreators {
  /** Erased since the backup: their keys stay destroyed, and their erasure has to be recorded again (D72). */
  readonly erasedSince: readonly CreatorId[];
  /** Enrolled since too: the restored log knows nothing of them, and enrolls the person again under another id. */
  readonly erasedUnknown: readonly CreatorId[];
}

/** Destroys the same keys here, and says what the restored store knew of them. Remembers the latest seal (D91). */
export const carryInto = async (
  store: PersonalKeyStore,
  { destroyed, seals }: CarriedKeys,
): Promise<ErasedCreators> => {
  const kept = await store.get([...destroyed.keys()]);
  for (const [creatorId, at] of destroyed) await store.destroy(creatorId, at);
  const own = await store.sentinel();
  for (const { seal, sentinel } of seals) {
    const remembered = await store.lastSeal();
    // Under another master key its signature would be refused, and would say nothing.
    if (own !== undefined && sentinel?.equals(own) === true && seal.count > (remembered?.count ?? 0))
      await store.rememberSeal(seal, remembered);
  }
  const ids = [...destroyed.keys()];
  return {
    erasedSince: ids.filter((id) => kept.get(id)?.status === 'kept'),
    erasedUnknown: ids.filter((id) => !kept.has(id)),
  };
};

/** The folders of an earlier or interrupted restore, which may hold the only marks. */
export const STAGED = 'restoring';
export const REPLACED = 'replaced-';

export const foldersWithKeys = (dataDir: string): string[] => [
  dataDir,
  ...readdirSync(dataDir)
    .filter((name) => name === STAGED || name.startsWith(REPLACED))
    .map((name) => join(dataDir, name)),
];
