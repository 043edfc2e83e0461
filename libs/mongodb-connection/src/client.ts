import { MongoClient, type MongoClientOptions } from 'mongodb';
import './lost-writes.js';

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
  waitQueueTimeoutMS: 5_000,
  socketTimeoutMS: 5_000,
  heartbeatFrequencyMS: 2_000,
} satisfies MongoClientOptions;

const DATABASE = 'creator_protection';
const NAMED = /^[^/]+\/\/[^/]+\/([^?]+)/;

/**
 * A client that connects when it is first used, and again after each failure. Throws `TypeError`, without the URL and
 * the password in it, where it can not be read.
 */
export const clientTo = (url: string): MongoClient => {
  try {
    return new MongoClient(url, OPTIONS);
  } catch {
    // The client's own words repeat the URL.
    throw new TypeError('not a connection string of MongoDB: mongodb://host:port/database');
  }
};

/** The name that is the URL's path, `creator_protection` where it has none. */
export const databaseName = (url: string): string => NAMED.exec(url)?.[1] ?? DATABASE;
