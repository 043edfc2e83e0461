import { join } from 'node:path';
import type { Config } from '#configuration';
import { openSqliteDocumentStore } from '#document-store';
import { openSqliteEventLog } from '#event-log';
import { DATA_FILES } from '#kernel';
import { openSqliteKeyStore } from '#key-store';

/** The embedded stores of a folder, such as a backup, one by one and as they are stored. Missing files are created. */
export const dataFolder = {
  log: (folder: string) => openSqliteEventLog({ file: join(folder, DATA_FILES.log) }),
  personalKeys: (folder: string) => openSqliteKeyStore({ file: join(folder, DATA_FILES.keys) }),
  documents: (folder: string) => openSqliteDocumentStore({ file: join(folder, DATA_FILES.documents) }),
};

/** The data directory if all stores are files in it; undefined if one is on a server. */
export const folderOfAllStores = ({
  dataDir,
  eventStoreDbUrl,
  mongoDbUrl,
}: Pick<Config, 'dataDir' | 'eventStoreDbUrl' | 'mongoDbUrl'>): string | undefined =>
  eventStoreDbUrl === undefined && mongoDbUrl === undefined ? dataDir : undefined;
