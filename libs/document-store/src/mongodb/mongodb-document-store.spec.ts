import { documentStoreContract, type Unsupported } from '../contract/index.js';
import { openMongoDbDocumentStore } from './open.js';
import { emptyDatabase } from './testing/empty-database.js';

const database = emptyDatabase();
/** Given by `test:stores` for the server that it starts. */
const unsupported = JSON.parse(process.env.MONGODB_UNSUPPORTED ?? '{}') as Unsupported;

documentStoreContract(
  database === undefined ? 'mongodb, as MONGODB_URL is not set' : 'mongodb',
  database && (() => openMongoDbDocumentStore(database)),
  unsupported,
);
