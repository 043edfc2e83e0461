import { setTimeout as delay } from 'node:timers/promises';
import { type Duration, SECOND, StoreUnavailable } from '#kernel/ports';
import { connected } from './connected.js';
import type { Connection } from './connection.js';
import { asStoreError, isBusy } from './sqlite-error.js';

/** Others write and read between two tries. */
const RETRY_DELAY: Duration = 50;
const TIMEOUT: Duration = 60 * SECOND;
const SETTINGS = { cacheKib: 2 * 1024, busyTimeout: 1_000 };

/**
 * Makes the file anew from what it holds, and empties its write-ahead log: pages that were freed, and rows that were
 * overwritten, are in neither of them any more (D72). Nobody else can write while the file is made.
 */
export const vacuum = async (file: string): Promise<void> => {
  const deadline = performance.now() + TIMEOUT;
  const connection = connected(file, SETTINGS, (opened) => opened);
  try {
    await untilDone(() => vacuumed(connection), deadline);
    await untilDone(() => truncated(connection), deadline);
  } catch (error) {
    throw asStoreError(error);
  } finally {
    connection.close();
  }
};

const untilDone = async (step: () => boolean, deadline: number): Promise<void> => {
  while (!step()) {
    if (performance.now() > deadline) {
      throw new StoreUnavailable('others kept the embedded document store busy; repeat the command');
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
