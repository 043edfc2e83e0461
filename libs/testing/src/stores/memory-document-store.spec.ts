import { documentStoreContract } from '../../../document-store/src/contract/index.js';
import { InMemoryDocumentStore } from './memory-document-store.js';

documentStoreContract('memory', () => new InMemoryDocumentStore());
