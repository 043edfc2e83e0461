import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The files of a data directory. What SQLite adds to them has their name with `-wal` or `-shm` after it. */
export const DATA_FILES = {
  log: 'events.db',
  keys: 'personal-keys.db',
  documents: 'documents.db',
  counters: 'documents.db-counters',
  masterKey: 'master.key',
} as const;

/** The folder in a data directory that exists from the first step of a restore to its last one (D106). */
export const RESTORING = 'restoring';

export class UnfinishedRestore extends Error {
  constructor(dataDir: string) {
    super(
      `a restore into ${dataDir} was interrupted. Stop all processes and run the restore again, with the same --from: ` +
        '`npm run -s cli -- backup restore --from <folder>`',
    );
    this.name = 'UnfinishedRestore';
  }
}

export const refuseUnfinishedRestore = (dataDir: string): void => {
  if (existsSync(join(dataDir, RESTORING))) throw new UnfinishedRestore(dataDir);
};
