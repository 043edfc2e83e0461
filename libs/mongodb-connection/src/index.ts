export * from './client.js';
export { isDuplicateKey } from './failures.js';
export * from './retries.js';
