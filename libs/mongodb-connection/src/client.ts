import { MongoClient, type MongoClientOptions } from 'mongodb';
import { InvalidStoreUrl } from '#kernel';
import { ClosingConnection } from './closing-connection.js';
import { LIMITS, type Work } from './work.js';

/** These override the URL, so that acknowledged writes survive the loss of any one server. */
const OPTIONS = {
  appName: 'creator-protection',
  writeConcern: { w: 'majority' },
  readConcern: { level: 'majority' },
  readPreference: 'primary',
  ignoreUndefined: true,
  heartbeatFrequencyMS: 2_000,
} satisfies MongoClientOptions;

/** The driver uses this option for its pool and its monitor, but its types lack it. */
const CONNECTION: object = { connectionType: ClosingConnection };

const DATABASE = 'creator_protection';
const NAMED = /^[^/]+\/\/[^/]+\/([^?]+)/;

/**
 * A client that connects when it is first used, and again after each failure. Throws `InvalidStoreUrl`.
 */
export const clientTo = (url: string, work: Work): MongoClient => {
  try {
    return new MongoClient(url, { ...OPTIONS, ...LIMITS[work].timeouts, ...CONNECTION });
  } catch (error) {
    // The client's error message may contain the URL, so only the names of options are taken from it.
    const [, names] = /^options? ([\w, ]{1,80}) (?:is|are) not supported$/.exec(String(Object(error).message)) ?? [];
    if (names !== undefined)
      throw new InvalidStoreUrl(`the URL of MongoDB cannot be used: the option ${names} is not known`);
    throw new InvalidStoreUrl('not a connection string of MongoDB: mongodb://host:port/database');
  }
};

/** The path of the URL; default: `creator_protection`. */
export const databaseName = (url: string): string => NAMED.exec(url)?.[1] ?? DATABASE;
