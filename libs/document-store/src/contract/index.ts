export { documentStoreContract } from './document-store-contract.js';
export type { Unsupported } from './store-under-test.js';
