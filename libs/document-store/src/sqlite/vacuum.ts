import { DatabaseBusy, type Duration, isBusy, retryWhileBusy, SECOND, StoreUnavailable } from '#kernel/ports';
import { connected } from './connected.js';
import { asStoreError } from './sqlite-error.js';

/** Other processes write and read between two tries. */
const LONGEST_PAUSE: Duration = 100;
/** Of each of the two steps. */
const TIMEOUT: Duration = 60 * SECOND;
const SETTINGS = { cacheKib: 2 * 1024, blocksFor: SECOND };

/**
 * Rewrites the file from its content, and empties its write-ahead log, so that neither contains freed pages or
 * overwritten rows (D72). No other process can write during this time. `secure_delete` cannot replace it: SQLite moves
 * rows when it splits and merges pages, and leaves copies of them. Of 20,000 replaced rows, about ten were still in the file.
 */
export const vacuum = async (file: string): Promise<void> => {
  const connection = connected(file, SETTINGS, (opened) => opened);
  const emptyWriteAheadLog = () => {
    if (connection.get('PRAGMA wal_checkpoint(TRUNCATE)')?.busy !== 0) throw new DatabaseBusy();
  };
  try {
    await retryWhileBusy(() => connection.run('VACUUM'), TIMEOUT, LONGEST_PAUSE);
    await retryWhileBusy(emptyWriteAheadLog, TIMEOUT, LONGEST_PAUSE);
  } catch (error) {
    throw isBusy(error)
      ? new StoreUnavailable('other processes kept the embedded document store busy; repeat the command')
      : asStoreError(error, file);
  } finally {
    connection.close();
  }
};
