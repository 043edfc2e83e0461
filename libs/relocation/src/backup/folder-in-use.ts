import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DATA_FILES, damageOfCopy, requireFile } from '#kernel';
import { isBusy } from '#kernel/ports';
import { BackupRefused } from './backup-refused.js';

const DATABASES = [DATA_FILES.log, DATA_FILES.keys, DATA_FILES.documents];

/** Each process of the service holds the files open, and SQLite grants the exclusive lock to nobody then. */
export const refuseFolderInUse = (folder: string): void => {
  for (const name of DATABASES) {
    if (existsSync(join(folder, name)) && isOpenElsewhere(join(folder, name)))
      throw new BackupRefused(`${folder} is in use: stop all processes of the service, and repeat the command`);
  }
};

const isOpenElsewhere = (file: string): boolean => {
  const wal = `${file}-wal`;
  try {
    requireFile(file);
    const damaged = damageOfCopy(file) === undefined ? undefined : readFileSync(wal);
    try {
      lockForAMoment(new DatabaseSync(file, { timeout: 0 }));
    } finally {
      // SQLite removes it when it closes the file; it is still to be reported, and kept.
      if (damaged !== undefined && !existsSync(wal)) writeFileSync(wal, damaged, { mode: 0o600 });
    }
    return false;
  } catch (error) {
    // A damaged file, or one that cannot be opened, is to be replaced, and is in use by nobody.
    return isBusy(error);
  }
};

const lockForAMoment = (database: DatabaseSync): void => {
  try {
    database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; ROLLBACK');
  } finally {
    database.close();
  }
};
