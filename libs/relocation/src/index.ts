export { type CopiedKeys, copyKeys } from './copy-keys.js';
export { type CopiedLog, copyLog, type LogProgress } from './copy-log.js';
export { CopyRefused } from './copy-refused.js';
