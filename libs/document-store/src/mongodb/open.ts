import { MongoClient, type MongoClientOptions } from 'mongodb';
import type { DocumentStore } from '#kernel';
import { databaseOf } from './database.js';
import { MongoDbDocumentStore } from './mongodb-document-store.js';

export interface MongoDbDocumentStoreOptions {
  /** `mongodb://` or `mongodb+srv://`, with the database's name as its path; `creator_protection` where it has none. */
  readonly url: string;
}

const DATABASE = 'creator_protection';
const HAS_DATABASE = /^[^/]+\/\/[^/]+\/[^?]/;

/** Whatever the URL says, what was acknowledged is there after the loss of any one server. */
const OPTIONS = {
  appName: 'creator-protection',
  writeConcern: { w: 'majority' },
  readConcern: { level: 'majority' },
  readPreference: 'primary',
  ignoreUndefined: true,
  maxPoolSize: 50,
  // A request waits for several of these at worst, and has to be answered while its caller is still there.
  serverSelectionTimeoutMS: 2_000,
  connectTimeoutMS: 2_000,
  waitQueueTimeoutMS: 2_000,
  socketTimeoutMS: 5_000,
  heartbeatFrequencyMS: 2_000,
} satisfies MongoClientOptions;

/**
 * The document store for several machines: MongoDB 6 or newer (a replica set, where anything is to be left after the
 * loss of a server), or what speaks its protocol as FerretDB 1.24 does. It connects when it is first used, and again
 * after each failure. Throws `TypeError`, without the URL and its password, where the URL can not be read.
 */
export const openMongoDbDocumentStore = ({ url }: MongoDbDocumentStoreOptions): DocumentStore => {
  const client = clientOf(url);
  return new MongoDbDocumentStore(client, databaseOf(client.db(HAS_DATABASE.test(url) ? undefined : DATABASE)));
};

const clientOf = (url: string): MongoClient => {
  try {
    return new MongoClient(url, OPTIONS);
  } catch {
    throw new TypeError('the URL of the document store can not be read');
  }
};
