export * from './client.js';
export { asStoreError, isDuplicateKey } from './failures.js';
export * from './retries.js';
