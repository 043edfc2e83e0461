import { randomUUID } from 'node:crypto';
import { it } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { personalKeyStoreContract } from '../contract/index.js';
import { openMongoDbKeyStore } from './mongodb-key-store.js';

const server = process.env.MONGODB_URL;

if (server === undefined) it.skip('the mongodb store of personal keys, as MONGODB_URL is not set', () => undefined);
else {
  personalKeyStoreContract('mongodb', async () => {
    const name = `test_${randomUUID().slice(0, 8)}`;
    const url = server.replace(/^([^/]+\/\/[^/?]+)(\/[^?]*)?/, `$1/${name}`);
    return {
      open: async () => openMongoDbKeyStore({ url }),
      remove: async () => {
        const client = new MongoClient(url);
        await client.db(`${name}_personal_keys`).dropDatabase();
        await client.close();
      },
    };
  });
}
