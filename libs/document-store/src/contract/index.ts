export { documentStoreContract } from './document-store-contract.js';
