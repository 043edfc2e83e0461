export { documentStoreContract, type Unsupported } from './document-store-contract.js';
