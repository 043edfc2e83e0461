import { MongoClient, type MongoClientOptions } from 'mongodb';
import { Connection } from 'mongodb/lib/cmap/connection.js';
import { InvalidStoreUrl } from '#kernel';
import { LIMITS, type Work } from './retries.js';

/**
 * The driver's connection with one change. After a write the driver waits for the socket's `drain`, forever if the
 * socket is destroyed and has not emitted `close` yet. If its monitor waits like this, the client never reconnects.
 * Here the end of the connection ends the wait. No timeout ends it: the driver's own ones begin after the write, and
 * `timeoutMS` has no effect in 7.8 and 7.9.
 */
export class ClosingConnection extends Connection {
  override async writeCommand(...given: Parameters<Connection['writeCommand']>): Promise<void> {
    const closed = Promise.withResolvers<never>();
    const onClose = () => closed.reject(this.error);
    this.once('close', onClose);
    try {
      await Promise.race([super.writeCommand(...given), closed.promise]);
    } finally {
      this.off('close', onClose);
    }
  }
}

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

/** Connects when it is first used, and again after each failure. Throws `InvalidStoreUrl`. */
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

export const databaseName = (url: string): string => NAMED.exec(url)?.[1] ?? DATABASE;
