import { setTimeout as delay } from 'node:timers/promises';
import { type Duration, SECOND, StoreUnavailable } from '#kernel/ports';
import { connected } from './connected.js';
import type { Connection } from './connection.js';
import { asStoreError, isBusy } from './sqlite-error.js';

/** Other processes write and read between two tries. */
const RETRY_DELAY: Duration = 50;
const TIMEOUT: Duration = 60 * SECOND;
const SETTINGS = { cacheKib: 2 * 1024, busyTimeout: 1_000 };

/**
 * Rewrites the file from its content, and empties its write-ahead log, so that neither contains freed pages or
 * overwritten rows (D72). No other process can write during this time. `secure_delete` cannot replace it: SQLite moves
 * rows when it splits and merges pages, and leaves copies of them. Of 20,000 replaced rows, about ten were still in the file.
 */
export const vacuum = async (file: string): Promise<void> => {
  const deadline = performance.now() + TIMEOUT;
  const connection = connected(file, SETTINGS, (opened) => opened);
  try {
    await untilDone(() => vacuumed(connection), deadline);
    await untilDone(() => truncated(connection), deadline);
  } catch (error) {
    throw asStoreError(error, file);
  } finally {
    connection.close();
  }
};

const untilDone = async (step: () => boolean, deadline: number): Promise<void> => {
  while (!step()) {
    if (performance.now() > deadline) {
      throw new StoreUnavailable('other processes kept the embedded document store busy; repeat the command');
    }
    await delay(RETRY_DELAY);
  }
};

const vacuumed = (connection: Connection): boolean => {
  try {
    connection.run('VACUUM');
    return true;
  } catch (error) {
    if (isBusy(error)) return false;
    throw error;
  }
};

const truncated = (connection: Connection): boolean => {
  try {
    return connection.get('PRAGMA wal_checkpoint(TRUNCATE)')?.busy === 0;
  } catch (error) {
    if (isBusy(error)) return false;
    throw error;
  }
};
