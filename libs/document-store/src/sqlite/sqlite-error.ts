import { basename } from 'node:path';
import { StoreUnavailable } from '#kernel/ports';

const BUSY = 5;
const CORRUPT = 11;
const FULL = 13;
const NOT_A_DATABASE = 26;
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

/** The file could not be created, or its mode could not be set. */
const isFileError = (error: unknown): boolean => typeof error === 'object' && error !== null && 'syscall' in error;

/** The error of SQLite or the file system as the port names it, also of a closed file; any other error unchanged. */
export const asStoreError = (error: unknown, file: string): unknown =>
  isSqliteError(error) || isFileError(error) || codeOf(error) === 'ERR_INVALID_STATE'
    ? new StoreUnavailable(`${file}: ${messageOf(error)}${whatToDo(error, file)}`, { cause: error })
    : error;

/** For a file that has to be replaced. Nothing is lost with it that the log does not have. */
export const canBeMadeAgain = (file: string): string =>
  `It can be made again from the log: stop all processes, move ${basename(file)}, ${basename(file)}-wal and ` +
  `${basename(file)}-shm out of the folder, and start`;

const whatToDo = (error: unknown, file: string): string => {
  switch (isSqliteError(error) ? error.errcode & PRIMARY : undefined) {
    case BUSY:
      return '. Another program has locked the file: end that program';
    case FULL:
      return '. Free some space; nothing that was acknowledged is lost';
    case CORRUPT:
    case NOT_A_DATABASE:
      return `. ${canBeMadeAgain(file)}`;
    default:
      return '';
  }
};

export const messageOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : String(error);
