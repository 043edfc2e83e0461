import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openSqliteDocumentStore } from '#document-store';
import { openSqliteEventLog } from '#event-log';
import type { DocumentStore, EventLog } from '#kernel';

export interface Stores {
  readonly log: EventLog;
  readonly documents: DocumentStore;
}

/** The embedded stores, each in a file of its own under the data directory. */
export const openStores = (dataDir: string): Stores => {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  return {
    log: openSqliteEventLog({ file: join(dataDir, 'events.db') }),
    documents: openSqliteDocumentStore({ file: join(dataDir, 'documents.db') }),
  };
};
