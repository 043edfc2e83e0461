import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openSqliteDocumentStore } from '#document-store';
import { openSqliteEventLog } from '#event-log';
import { type DocumentStore, type EventLog, type Upcaster, withUpcasters } from '#kernel';

/** Turn events of old versions into the newest while reading; none has an old version yet. */
const UPCASTERS: readonly Upcaster[] = [];

export interface Stores {
  readonly log: EventLog;
  readonly documents: DocumentStore;
}

/** The embedded stores, each in a file of its own under the data directory. */
export const openStores = (dataDir: string): Stores => {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  return {
    log: withUpcasters(openSqliteEventLog({ file: join(dataDir, 'events.db') }), UPCASTERS),
    documents: openSqliteDocumentStore({ file: join(dataDir, 'documents.db') }),
  };
};
