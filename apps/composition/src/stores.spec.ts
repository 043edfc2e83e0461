import { describe, expect, test } from '@jest/globals';
import { InvalidConfiguration, readConfig } from './config.js';

const MASTER_KEY = Buffer.alloc(32, 0xa7).toString('base64');

describe('a store beyond this machine', () => {
  test.each(['esdb://127.0.0.1:2113?tls=false', 'esdb+discover://admin:changeit@cluster.example'])(
    'is where its URL says: %s',
    (url) => {
      expect(readConfig({ EVENTSTOREDB_URL: url, MASTER_KEY }).eventStoreDbUrl).toBe(url);
      expect(readConfig({}).eventStoreDbUrl).toBeUndefined();
    },
  );

  test('needs the key that all processes share', () => {
    const readIt = () => readConfig({ EVENTSTOREDB_URL: 'esdb://127.0.0.1:2113?tls=false' });
    expect(readIt).toThrow(InvalidConfiguration);
    expect(readIt).toThrow(/MASTER_KEY: is needed with EVENTSTOREDB_URL/);
  });

  test('has a URL of its kind, of which nothing is told when it is wrong', () => {
    const readIt = () => readConfig({ EVENTSTOREDB_URL: 'http://admin:hunter2@host', MASTER_KEY });
    expect(readIt).toThrow(/EVENTSTOREDB_URL: must be an esdb:\/\//);
    expect(readIt).toThrow(/^(?!.*hunter2)/s);
  });
});
