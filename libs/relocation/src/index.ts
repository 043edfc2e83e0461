export type { CopiedKeys } from './copy-keys.js';
export type { CopiedLog, LogProgress } from './copy-log.js';
export { CopyRefused } from './copy-refused.js';
export { copyStores } from './copy-stores.js';
