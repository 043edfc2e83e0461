import { join } from 'node:path';
import type { Config } from '#configuration';
import { readSqliteCheckpoints } from '#document-store';
import { openSqliteReadableLog } from '#event-log';
import { DATA_FILES } from '#kernel';
import { messageOf } from '#kernel/ports';
import { openSqliteKeyStore, openSqliteKeyStoreForReading } from '#key-store';
import { parsedKeyIn } from './master-key.js';

/** The files of a folder, such as a backup, one by one, as they are stored. Read-only, except `personalKeys`. */
export const dataFolder = {
  readLog: (folder: string) => openSqliteReadableLog(join(folder, DATA_FILES.log)),
  readKeys: (folder: string) => openSqliteKeyStoreForReading(join(folder, DATA_FILES.keys), true, 'is left out'),
  readCheckpoints: (folder: string, runners: readonly string[]) =>
    readSqliteCheckpoints(join(folder, DATA_FILES.documents), runners),
  masterKeyFault(folder: string): string | undefined {
    try {
      parsedKeyIn(folder);
      return undefined;
    } catch (error) {
      return messageOf(error);
    }
  },
  personalKeys: (folder: string) => openSqliteKeyStore(join(folder, DATA_FILES.keys)),
};

/** The data directory if all stores are files in it; undefined if one is on a server. */
export const folderOfAllStores = ({
  dataDir,
  eventStoreDbUrl,
  mongoDbUrl,
}: Pick<Config, 'dataDir' | 'eventStoreDbUrl' | 'mongoDbUrl'>): string | undefined =>
  eventStoreDbUrl === undefined && mongoDbUrl === undefined ? dataDir : undefined;
