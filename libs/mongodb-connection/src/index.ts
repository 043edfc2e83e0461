export * from './client.js';
export { isDuplicateKey } from './failures.js';
export * from './retries.js';
export type { Work } from './work.js';
