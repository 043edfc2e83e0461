import type { PersonalKeyStore } from '#personal-data';
import type { MongoDbKeyStoreOptions } from './mongodb/mongodb-key-store.js';

export { openSqliteKeyStore, openSqliteKeyStoreForReading } from './sqlite/sqlite-key-store.js';
/** See `mongodb/mongodb-key-store.js`. The client takes long to load, so it is loaded only when it is used. */
export const openMongoDbKeyStore = async (options: MongoDbKeyStoreOptions): Promise<PersonalKeyStore> => {
  const mongoDb = await import('./mongodb/mongodb-key-store.js');
  return mongoDb.openMongoDbKeyStore(options);
};
