import type { CreatorId } from '#kernel';
import type { KeptKey } from '#personal-data';
import { personalKeyStoreContract } from '../contract/index.js';
import { InMemoryKeyStore } from './memory-key-store.js';

personalKeyStoreContract('memory', async () => {
  const keys = new Map<CreatorId, KeptKey>();
  return { open: async () => new InMemoryKeyStore(keys), remove: async () => undefined };
});
