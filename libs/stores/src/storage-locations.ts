import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isPlaintextStore, NOT_ENCRYPTED } from '#configuration';
import { openEventStoreDbEventLog, openSqliteEventLog } from '#event-log';
import {
  DATA_FILES,
  type EventLog,
  ensurePrivateFolder,
  invalidRequest,
  refuseDamagedCopy,
  refuseUnfinishedRestore,
} from '#kernel';
import { openMongoDbKeyStore, openSqliteKeyStore } from '#key-store';
import { type PersonalKeyStore, UNFINISHED } from '#personal-data';
import { isLogUrl } from './stores.js';

/** A log and the keys of its personal data, as their stores hold them: nothing is decrypted, encrypted or chained. */
export interface StorageLocation {
  readonly log: EventLog;
  readonly personalKeys: PersonalKeyStore;
  close(): Promise<void>;
}

export type LocationRole = 'from' | 'to';

const IS_MONGODB = /^mongodb(?:\+srv)?:/;
const IS_URL = /^[a-z][a-z0-9+.-]*:\/\//i;

/**
 * The location is a data directory, a log's file, or the URL of an EventStoreDB. By default, the keys of a log that is a file
 * are next to it. The source of a copy must exist; its target is created.
 */
export const openStorageLocation = async (
  name: LocationRole,
  location: string,
  keysLocation: string | undefined,
  allowPlaintext: boolean,
): Promise<StorageLocation> => {
  for (const url of allowPlaintext ? [] : [location, keysLocation]) {
    if (url !== undefined && IS_URL.test(url) && isPlaintextStore(url)) {
      throw invalidRequest({ field: url === location ? name : `keys-${name}`, message: NOT_ENCRYPTED });
    }
  }
  const keys = keysLocation ?? keysNextTo(name, location);
  if (isLogUrl(location)) {
    return locationOf(
      await openEventStoreDbEventLog({ url: location, work: 'background' }),
      await openKeys(`keys-${name}`, keys),
    );
  }
  const file = fileOf(name, location, DATA_FILES.log);
  const personalKeys = await openKeys(`keys-${name}`, keys);
  if (!existsSync(file)) await markNew(personalKeys);
  return locationOf(openSqliteEventLog({ file }), personalKeys);
};

/** D106: before the log is there, so that nothing takes the target of a copy for a new installation. */
const markNew = async (personalKeys: PersonalKeyStore): Promise<void> => {
  for await (const _ of personalKeys.all()) return;
  await personalKeys.addSentinel(UNFINISHED);
};

/** Whether both name one log: the copy would be compared with itself, and seem to be verified. */
export const isSameLog = (from: string, to: string): boolean => {
  if (isLogUrl(from) && isLogUrl(to)) return serversOf(from).some((server) => serversOf(to).includes(server));
  if (isLogUrl(from) || isLogUrl(to)) return false;
  const files = [fileOf('from', from, DATA_FILES.log), fileOf('to', to, DATA_FILES.log)];
  const [one, other] = files.map((file) => statSync(file, { throwIfNoEntry: false }));
  return one !== undefined && one.dev === other?.dev && one.ino === other.ino;
};

const DEFAULT_PORT = ':2113';

/** A server holds one log, whichever user reads it. */
const serversOf = (url: string): readonly string[] => {
  const [, hosts = ''] = /^[^:]+:\/\/(?:[^@/?]*@)?([^/?]*)/.exec(url) ?? [];
  return hosts
    .toLowerCase()
    .split(',')
    .map((host) => host.replace(/^localhost(?=:|$)/, '127.0.0.1'))
    .map((host) => (/:\d+$/.test(host) ? host : `${host}${DEFAULT_PORT}`));
};

const keysNextTo = (name: LocationRole, location: string): string => {
  if (!isLogUrl(location)) return dirname(fileOf(name, location, DATA_FILES.log));
  throw invalidRequest({ field: `keys-${name}`, message: 'is needed: where the keys that go with the log are' });
};

const openKeys = async (name: `keys-${LocationRole}`, location: string): Promise<PersonalKeyStore> => {
  if (IS_MONGODB.test(location)) return openMongoDbKeyStore({ url: location, work: 'background' });
  const file = fileOf(name, location, DATA_FILES.keys);
  ensurePrivateFolder(dirname(file));
  return openSqliteKeyStore(file);
};

/** A path that does not exist yet is a directory, unless its name ends like a file's. */
const fileOf = (name: LocationRole | `keys-${LocationRole}`, location: string, fileName: string): string => {
  if (IS_URL.test(location)) {
    const store = name.startsWith('keys-') ? 'mongodb:// or mongodb+srv://' : 'esdb:// or esdb+discover://';
    throw invalidRequest({ field: name, message: `must be a directory, a file or an ${store} URL` });
  }
  const isDirectory = existsSync(location) ? statSync(location).isDirectory() : !location.endsWith('.db');
  const file = isDirectory ? join(location, fileName) : location;
  refuseUnfinishedRestore(dirname(file));
  if (!name.endsWith('from')) return file;
  if (!existsSync(file)) throw invalidRequest({ field: file, message: 'does not exist' });
  refuseDamagedCopy(file);
  return file;
};

const locationOf = (log: EventLog, personalKeys: PersonalKeyStore): StorageLocation => ({
  log,
  personalKeys,
  async close() {
    await log.close();
    await personalKeys.close();
  },
});
