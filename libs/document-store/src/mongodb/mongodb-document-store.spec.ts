import { Caches } from '#kernel';
import { documentStoreContract, type Unsupported } from '../contract/index.js';
import { openMongoDbDocumentStore } from './open.js';
import { emptyDatabase } from './testing/empty-database.js';

const [database, databaseWithoutCaches] = [emptyDatabase(), emptyDatabase()];
/** Given by `test:stores` for the server that it starts. */
const unsupported = JSON.parse(process.env.MONGODB_UNSUPPORTED ?? '{}') as Unsupported;

const reason = database === undefined ? ', as MONGODB_URL is not set' : '';

documentStoreContract(`mongodb${reason}`, database && (() => openMongoDbDocumentStore(database)), unsupported);
documentStoreContract(
  `mongodb without caches${reason}`,
  databaseWithoutCaches && (() => openMongoDbDocumentStore({ ...databaseWithoutCaches, caches: Caches.OFF })),
  unsupported,
);
