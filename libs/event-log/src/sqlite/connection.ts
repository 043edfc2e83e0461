import { DatabaseSync } from 'node:sqlite';
import type { Duration } from '#kernel/ports';
import { retryWhileBusySync } from './retry-while-busy.js';

/** How long SQLite itself may block its thread to wait for a lock. */
const MAX_BLOCKING_TIME: Duration = 10;

/** Pages of 8 KiB hold ten events of common size: a tenth less file than with 4 KiB, and a tenth less time to replay. */
const SETTINGS = `
  PRAGMA page_size = 8192;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA journal_size_limit = 67108864;`;

/** Opens the file with a page cache of `cacheKib`, and closes it if `use` throws. */
export function connected<T>(file: string, busyFor: Duration, cacheKib: number, use: (db: DatabaseSync) => T): T {
  const db = new DatabaseSync(file, { timeout: MAX_BLOCKING_TIME, enableForeignKeyConstraints: false });
  try {
    // The first process sets the file's layout; the others wait for it.
    retryWhileBusySync(() => db.exec(`${SETTINGS} PRAGMA cache_size = -${cacheKib};`), busyFor);
    return use(db);
  } catch (error) {
    db.close();
    throw error;
  }
}
