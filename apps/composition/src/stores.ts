import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openSqliteDocumentStore } from '#document-store';
import { openSqliteEventLog } from '#event-log';
import { type DocumentStore, type EventLog, type Upcaster, withUpcasters } from '#kernel';
import { withHashChain } from '#tamper-evidence';

/** Turn events of old versions into the newest while reading; none has an old version yet. */
const UPCASTERS: readonly Upcaster[] = [];

export interface Stores {
  readonly log: EventLog;
  readonly documents: DocumentStore;
}

/**
 * From the store upwards: the hash chain covers what is stored; whatever changes events on their way stands above it.
 */
const layered = (store: EventLog): EventLog => withUpcasters(withHashChain(store), UPCASTERS);

/** The embedded stores, each in a file of its own under the data directory. */
export const openStores = (dataDir: string): Stores => {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  return {
    log: layered(openSqliteEventLog({ file: join(dataDir, 'events.db') })),
    documents: openSqliteDocumentStore({ file: join(dataDir, 'documents.db') }),
  };
};
