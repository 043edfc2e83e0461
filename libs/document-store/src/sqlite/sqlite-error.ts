import { StoreUnavailable } from '#kernel/ports';

const BUSY = 5;
const CONSTRAINT_UNIQUE = 2067;
/** The low byte of an extended result code is the primary one. */
const PRIMARY = 0xff;

interface SqliteError {
  readonly errcode: number;
}

// Without `instanceof`, because Node's errors belong to another realm under Jest.
export const codeOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;

export const isSqliteError = (error: unknown): error is SqliteError => codeOf(error) === 'ERR_SQLITE_ERROR';

export const isUniqueViolation = (error: unknown): boolean =>
  isSqliteError(error) && error.errcode === CONSTRAINT_UNIQUE;

export const isBusy = (error: unknown): boolean => isSqliteError(error) && (error.errcode & PRIMARY) === BUSY;

/** The file could not be created, or its mode could not be set. */
const isFileError = (error: unknown): boolean => typeof error === 'object' && error !== null && 'syscall' in error;

/** The error of SQLite or the file system as the port names it, also of a closed file; any other error unchanged. */
export const asStoreError = (error: unknown): unknown =>
  isSqliteError(error) || isFileError(error) || codeOf(error) === 'ERR_INVALID_STATE'
    ? new StoreUnavailable('the embedded document store failed', { cause: error })
    : error;
