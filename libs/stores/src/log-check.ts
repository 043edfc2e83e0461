import { type EventLog, MissingLog } from '#kernel';
import type { PersonalKeyStore } from '#personal-data';

/** D92: throws `MissingLog` if the log is empty and the key store shows that there was one. */
export const requireLogOfKeys = async (log: Pick<EventLog, 'head'>, keyStore: PersonalKeyStore): Promise<void> => {
  if ((await log.head()) > 0) return;
  const what = (await keyStore.lastSeal()) === undefined ? await firstKey(keyStore) : 'a seal of the log';
  if (what === undefined) return;
  throw new MissingLog(`the key store (personal-keys.db, or the MongoDB) holds ${what}`);
};

const firstKey = async (keyStore: PersonalKeyStore): Promise<string | undefined> => {
  for await (const [creatorId] of keyStore.all()) return `the key of ${creatorId}`;
  return undefined;
};
