import { type EventLog, eventsOf, MissingKeys, MissingLog, WrongMasterKey } from '#kernel';
import {
  decrypt,
  encryptedPersonalOf,
  type PersonalKeyStore,
  type Sentinel,
  type SentinelContent,
  wrappingKeyId,
} from '#personal-data';
import { sealKeyInForce } from '#tamper-evidence';
import type { MasterKeys } from './master-keys.js';

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

/**
 * Without the right keys, `serve` does not start; `copy`, which changes read models only, starts on a copy of a log without
 * its keys; `read` starts, and shows what it cannot decrypt as `[encrypted]`.
 */
export type KeyNeed = 'serve' | 'copy' | 'read';

interface Installation {
  readonly log: EventLog;
  readonly keyStore: PersonalKeyStore;
  readonly sentinel: Sentinel;
  readonly keys: MasterKeys;
  /** Both stores are files: only a copy of files can lack its keys. */
  readonly isEmbedded: boolean;
}

/** D71: before anything is served or written. Selects the master key that encrypts. Undefined if it is not needed. */
export const checkKeys = async (installation: Installation, need: KeyNeed): Promise<SentinelContent | undefined> => {
  try {
    return await checked(installation, need !== 'read');
  } catch (error) {
    if (!(error instanceof WrongMasterKey || error instanceof MissingKeys)) throw error;
    const isTolerated =
      need === 'read' || (need === 'copy' && installation.isEmbedded && (await isUnused(installation.keyStore)));
    if (isTolerated) return undefined;
    throw error;
  }
};

/** Nothing has been encrypted or signed yet, so any master key is valid for it. */
export const isNewInstallation = async (log: EventLog, keyStore: PersonalKeyStore): Promise<boolean> =>
  (await isUnused(keyStore)) && (await sealKeyInForce(log)) === undefined && !(await holdsEncrypted(log));

const checked = async (installation: Installation, mayWrite: boolean): Promise<SentinelContent | undefined> => {
  const { log, keyStore, sentinel, keys } = installation;
  const personal = keys.derived('personal keys');
  const found = await sentinel.read();
  if (found === 'foreign') throw foreignKeyStore();
  if ((await isEmpty(keyStore)) && (await holdsEncrypted(log))) throw new MissingKeys();
  const ofSeals = await indexOfSealKey(log, keys);
  if (found === undefined && !mayWrite) return undefined;
  const opened = found ?? (await sentinel.make((await indexOfPersonalKeys(keyStore, personal.all)) ?? ofSeals ?? 0));
  // Another process may have made it first, with another key.
  if (opened === 'foreign') throw foreignKeyStore();
  if (opened.replacing !== undefined && !personal.all.some((key) => wrappingKeyId(key) === opened.replacing)) {
    throw new WrongMasterKey(
      'a rotation of the master key has begun and not ended: set MASTER_KEY_PREVIOUS to the old key, and run `master-key rotate`',
    );
  }
  keys.encryptWith(opened.index);
  return opened;
};

/** The index of the key that signs the log's next seal; undefined for a log without seals. */
const indexOfSealKey = async (log: EventLog, keys: MasterKeys): Promise<number | undefined> => {
  const inForce = await sealKeyInForce(log);
  if (inForce === undefined) return undefined;
  const index = keys.sealKeys.all.findIndex(({ publicKey }) => publicKey.id === inForce);
  if (index !== -1) return index;
  throw new WrongMasterKey(
    `MASTER_KEY does not belong to this log: its last seal was signed with the key ${inForce}. Set the MASTER_KEY that ` +
      'the log was written with; after a change of it set MASTER_KEY_PREVIOUS too, and run `master-key rotate`',
  );
};

const isUnused = async (keyStore: PersonalKeyStore): Promise<boolean> =>
  (await keyStore.sentinel()) === undefined && (await isEmpty(keyStore));

const foreignKeyStore = (): WrongMasterKey =>
  new WrongMasterKey(
    'MASTER_KEY does not belong to this data: it does not decrypt the sentinel of the key store. Set the MASTER_KEY ' +
      '(or restore the master.key) that the data was written with',
  );

const isEmpty = async (keyStore: PersonalKeyStore): Promise<boolean> => {
  for await (const _ of keyStore.all()) return false;
  return true;
};

/** The index of the key that decrypts a creator's key, if there is such a key. For stores without a sentinel. */
const indexOfPersonalKeys = async (
  keyStore: PersonalKeyStore,
  wrappingKeys: readonly Buffer[],
): Promise<number | undefined> => {
  for await (const [creatorId, kept] of keyStore.all()) {
    if (kept.status === 'destroyed') continue;
    const index = wrappingKeys.findIndex((key) => decrypt(kept.wrapped, key, creatorId) !== undefined);
    if (index === -1) throw foreignKeyStore();
    return index;
  }
  return undefined;
};

const WITH_PERSONAL_DATA = new Set(['roster', 'creator']);

/** Personal data of a creator begins in these streams. */
const holdsEncrypted = async (log: EventLog): Promise<boolean> => {
  for await (const { data } of eventsOf(log, { categories: WITH_PERSONAL_DATA })) {
    if (encryptedPersonalOf(data) !== undefined) return true;
  }
  return false;
};
