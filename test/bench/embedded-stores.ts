import { join } from 'node:path';
import { STORED_EVENTS } from '#contexts';
import { openSqliteDocumentStore } from '#document-store';
import { openSqliteEventLog } from '#event-log';
import { openStores, type Stores } from '#stores';

export type EmbeddedStores = Pick<Stores, 'log' | 'documents' | 'close'>;

/** `bare` is nothing but the files' own; `service` is what the service has: personal data sealed, events chained. */
export type Layers = 'bare' | 'service';

/** The embedded stores in the directory. */
export const openEmbeddedStores = async (dir: string, layers: Layers): Promise<EmbeddedStores> => {
  if (layers === 'service')
    return openStores(
      { dataDir: dir, masterKey: undefined, eventStoreDbUrl: undefined, mongoDbUrl: undefined },
      STORED_EVENTS,
    );
  const log = openSqliteEventLog({ file: join(dir, 'events.db') });
  const documents = openSqliteDocumentStore({ file: join(dir, 'documents.db') });
  return { log, documents, close: async () => void (await Promise.all([log.close(), documents.close()])) };
};
