import { randomUUID } from 'node:crypto';
import { afterAll } from '@jest/globals';

/** A separate database for a spec on the server of `MONGODB_URL`, dropped at the end; undefined without a server. */
export const emptyDatabase = (): { readonly url: string } | undefined => {
  const server = process.env.MONGODB_URL;
  if (server === undefined) return undefined;
  const url = withDatabase(server, `test_${randomUUID().slice(0, 8)}`);
  afterAll(async () => {
    const { MongoClient } = await import('mongodb');
    const client = new MongoClient(url);
    await client.db().dropDatabase();
    await client.close();
  });
  return { url };
};

/** The URL with the database's name in place of its path. */
export const withDatabase = (url: string, name: string): string =>
  url.replace(/^([^/]+\/\/[^/?]+)(\/[^?]*)?/, `$1/${name}`);
