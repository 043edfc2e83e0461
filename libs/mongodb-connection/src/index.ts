export { clientTo, databaseName } from './client.js';
export { isDuplicateKey } from './failures.js';
export { once, type Repeating, repeatingFor } from './retries.js';
export type { Work } from './work.js';
