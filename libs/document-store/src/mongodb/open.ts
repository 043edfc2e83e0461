import { Caches, type DocumentStore } from '#kernel';
import { clientTo, databaseName, repeatingFor, type Work } from '#mongodb-connection';
import { databaseOf } from './database.js';
import { MongoDbDocumentStore } from './mongodb-document-store.js';

export interface MongoDbDocumentStoreOptions {
  /** `mongodb://` or `mongodb+srv://`, with the database's name as its path; default: `creator_protection`. */
  readonly url: string;
  /** `background` waits longer for an answer, and repeats after a timeout; default: `requests`. */
  readonly work?: Work;
  readonly caches?: Caches;
}

/** MongoDB 6 or later. Connects when it is first used, and again after each failure. Throws `InvalidStoreUrl`. */
export const openMongoDbDocumentStore = ({
  url,
  work = 'requests',
  caches = Caches.ON,
}: MongoDbDocumentStoreOptions): DocumentStore => {
  const client = clientTo(url, work);
  return new MongoDbDocumentStore(client, databaseOf(client.db(databaseName(url))), repeatingFor(work), caches);
};
