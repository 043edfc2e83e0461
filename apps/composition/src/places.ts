import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openEventStoreDbEventLog, openSqliteEventLog } from '#event-log';
import { type EventLog, invalidRequest } from '#kernel';
import type { PersonalKeyStore } from '#personal-data';
import { openMongoDbKeyStore, openSqliteKeyStore } from '#personal-keys';
import { EVENTS_FILE, isLogUrl, PERSONAL_KEYS_FILE } from './stores.js';

/** A log and the keys of what is personal in it, as their stores have them: nothing is opened, sealed or chained. */
export interface Place {
  readonly log: EventLog;
  readonly personalKeys: PersonalKeyStore;
  close(): Promise<void>;
}

/** Which option of the tool names the place, for what is to be said of it. */
export type PlaceName = 'from' | 'to';

const IS_MONGODB = /^mongodb(?:\+srv)?:/;
const IS_URL = /^[a-z][a-z0-9+.-]*:\/\//i;

/**
 * What is at a data directory, at a log's file, or at the URL of an EventStoreDB. The keys are beside a log that is a
 * file, or at a directory, a file or the URL of a MongoDB of their own. What is copied from must be there; what is
 * copied to is made.
 */
export const openPlace = async (
  name: PlaceName,
  location: string,
  keysLocation: string | undefined,
): Promise<Place> => {
  const keys = keysLocation ?? keysBeside(name, location);
  if (isLogUrl(location)) {
    return placeOf(await openEventStoreDbEventLog({ url: location }), await openKeys(`keys-${name}`, keys));
  }
  const file = fileOf(name, location, EVENTS_FILE);
  const personalKeys = await openKeys(`keys-${name}`, keys);
  return placeOf(openSqliteEventLog({ file }), personalKeys);
};

const keysBeside = (name: PlaceName, location: string): string => {
  if (!isLogUrl(location)) return dirname(fileOf(name, location, EVENTS_FILE));
  throw invalidRequest({ field: `keys-${name}`, message: 'is needed: where the keys that go with the log are' });
};

const openKeys = async (name: `keys-${PlaceName}`, location: string): Promise<PersonalKeyStore> => {
  if (IS_MONGODB.test(location)) return openMongoDbKeyStore({ url: location });
  const file = fileOf(name, location, PERSONAL_KEYS_FILE);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  return openSqliteKeyStore({ file });
};

/** What is not there yet is taken for a directory, but for names that end as a file's. */
const fileOf = (name: PlaceName | `keys-${PlaceName}`, location: string, fileName: string): string => {
  if (IS_URL.test(location)) {
    const store = name.startsWith('keys-') ? 'mongodb:// or mongodb+srv://' : 'esdb:// or esdb+discover://';
    throw invalidRequest({ field: name, message: `must be a directory, a file or an ${store} URL` });
  }
  const isDirectory = existsSync(location) ? statSync(location).isDirectory() : !location.endsWith('.db');
  const file = isDirectory ? join(location, fileName) : location;
  if (name.endsWith('from') && !existsSync(file))
    throw invalidRequest({ field: name, message: `${file} is not there` });
  return file;
};

const placeOf = (log: EventLog, personalKeys: PersonalKeyStore): Place => ({
  log,
  personalKeys,
  async close() {
    await log.close();
    await personalKeys.close();
  },
});
