import { documentStoreContract } from '../contract/index.js';
import { openMongoDbDocumentStore } from './open.js';
import { emptyDatabase } from './testing/empty-database.js';

const database = emptyDatabase();

documentStoreContract(
  database === undefined ? 'mongodb, as MONGODB_URL is not set' : 'mongodb',
  database && (() => openMongoDbDocumentStore(database)),
);
