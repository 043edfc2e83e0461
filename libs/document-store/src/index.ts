import type { DocumentStore } from '#kernel';
import type { MongoDbDocumentStoreOptions } from './mongodb/open.js';

export { openSqliteDocumentStore, readSqliteCheckpoints } from './sqlite/open.js';

/** See `mongodb/open.js`. The client takes long to load, so it is loaded only when it is used. */
export const openMongoDbDocumentStore = async (options: MongoDbDocumentStoreOptions): Promise<DocumentStore> => {
  const mongoDb = await import('./mongodb/open.js');
  return mongoDb.openMongoDbDocumentStore(options);
};
