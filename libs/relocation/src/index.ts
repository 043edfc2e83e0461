export { type CheckedBackup, checkBackup } from './backup/check-backup.js';
export { type RestoreOptions, restoreBackup } from './backup/restore-backup.js';
export { BackupRefused, takeBackup } from './backup/take-backup.js';
export type { CopiedKeys } from './copy-keys.js';
export { copyStores } from './copy-keys.js';
export type { CopiedLog } from './copy-log.js';
export { CopyRefused } from './log-walk.js';
