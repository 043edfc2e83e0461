export { clientTo, databaseName } from './client.js';
export type { Work } from './retries.js';
export { isDuplicateKey, once, type Repeating, repeatingFor } from './retries.js';
