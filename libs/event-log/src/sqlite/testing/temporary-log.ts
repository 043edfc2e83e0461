import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EventLog } from '#kernel';
import { openSqliteEventLog, type SqliteEventLogOptions } from '../open.js';

/** A log's file in a new directory, which can be opened several times; `close` closes and removes all. */
export async function temporaryLog() {
  const directory = await mkdtemp(join(tmpdir(), 'event-log-'));
  const file = join(directory, 'events.db');
  const logs: EventLog[] = [];
  return {
    directory,
    file,
    open(options: Omit<SqliteEventLogOptions, 'file'> = {}): EventLog {
      const log = openSqliteEventLog({ file, ...options });
      logs.push(log);
      return log;
    },
    async close(): Promise<void> {
      await Promise.all(logs.map((log) => log.close()));
      await rm(directory, { recursive: true });
    },
  };
}
