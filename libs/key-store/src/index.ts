import type { PersonalKeyStore } from '#personal-data';
import type { MongoDbKeyStoreOptions } from './mongodb/mongodb-key-store.js';

export * from './memory/memory-key-store.js';
export * from './sqlite/sqlite-key-store.js';

/** As `mongodb/mongodb-key-store.js` says. Its client takes long to load, and is loaded only where it is used. */
export const openMongoDbKeyStore = async (options: MongoDbKeyStoreOptions): Promise<PersonalKeyStore> => {
  const mongoDb = await import('./mongodb/mongodb-key-store.js');
  return mongoDb.openMongoDbKeyStore(options);
};
