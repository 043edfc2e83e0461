import { personalKeyStoreContract } from '../../../key-store/src/contract/index.js';
import { InMemoryKeyStore, KeysInMemory } from './memory-key-store.js';

personalKeyStoreContract('memory', async () => {
  const keys = new KeysInMemory();
  return { open: async () => new InMemoryKeyStore(keys), remove: async () => undefined };
});
