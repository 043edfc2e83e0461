import { join } from 'node:path';
import { openSqliteDocumentStore } from '#document-store';
import { openSqliteEventLog } from '#event-log';

/** The embedded stores in the directory, as plain files: nothing is sealed or chained. */
export const openEmbeddedStores = (dir: string) => {
  const log = openSqliteEventLog({ file: join(dir, 'events.db') });
  const documents = openSqliteDocumentStore({ file: join(dir, 'documents.db') });
  return { log, documents, close: () => Promise.all([log.close(), documents.close()]) };
};
