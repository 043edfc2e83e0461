import { InvalidConfiguration } from '#configuration';
import {
  DomainError,
  InvalidStoreUrl,
  MissingKeys,
  MissingLog,
  PersonalDataUnreadable,
  StoreUnavailable,
  UnfinishedCopy,
  UnfinishedRestore,
  WrongMasterKey,
} from '#kernel';
import { VersionMismatch } from '#projections';
import { BackupRefused, CopyRefused } from '#relocation';
import { NotAsSealed, OtherOrigin, SealsMissing } from '#tamper-evidence';
import { OutputFailed } from './output.js';

export interface Failure {
  readonly code: string;
  readonly message: string;
}

/** The printed form of the error that ended the command with this name. */
export const failureOf = (error: unknown, words: readonly string[]): Failure => {
  if (error instanceof DomainError) {
    const fields = error.fields.map(({ field, message }) => `${field} ${message}`).join('; ');
    if (fields) return { code: error.code, message: fields };
    const message = error.code.replaceAll('_', ' ');
    if (error.code === 'not_found') return { code: error.code, message: `${message}: ${words.join(' ')}` };
    const wait = error.retryAfterSeconds;
    return { code: error.code, message: wait === undefined ? message : `${message}; try again in ${wait} s` };
  }
  if (error instanceof InvalidConfiguration) return { code: 'invalid_configuration', message: error.message };
  if (error instanceof OtherOrigin) return { code: 'invalid_configuration', message: error.message };
  if (error instanceof InvalidStoreUrl) return { code: 'invalid_configuration', message: error.message };
  if (error instanceof OutputFailed) return { code: 'output_failed', message: error.message };
  if (error instanceof VersionMismatch) return { code: 'not_comparable', message: error.message };
  if (error instanceof WrongMasterKey) return { code: 'wrong_master_key', message: error.message };
  if (error instanceof MissingKeys) return { code: 'missing_keys', message: error.message };
  if (error instanceof SealsMissing) return { code: 'seals_missing', message: error.message };
  if (error instanceof NotAsSealed) return { code: 'not_as_sealed', message: error.message };
  if (error instanceof MissingLog) return { code: 'missing_log', message: error.message };
  if (error instanceof UnfinishedCopy) return { code: 'unfinished_copy', message: error.message };
  if (error instanceof UnfinishedRestore) return { code: 'unfinished_restore', message: error.message };
  if (error instanceof CopyRefused) return { code: 'copy_refused', message: error.message };
  if (error instanceof BackupRefused) return { code: 'backup_refused', message: error.message };
  if (error instanceof PersonalDataUnreadable) return { code: 'personal_data_unreadable', message: error.message };
  if (error instanceof StoreUnavailable) return { code: 'store_unavailable', message: error.message };
  return { code: 'internal_error', message: error instanceof Error ? error.message : String(error) };
};
