import { basename } from 'node:path';
import { codeOf, errcodeOf, messageOf, StoreUnavailable } from '#kernel/ports';

const BUSY = 5;
const CORRUPT = 11;
const FULL = 13;
const NOT_A_DATABASE = 26;
/** The low byte of an extended result code is the primary one. */
const PRIMARY = 0xff;

export const isSqliteError = (error: unknown): boolean => codeOf(error) === 'ERR_SQLITE_ERROR';

/** The file could not be created, or its mode could not be set. */
const isFileError = (error: unknown): boolean => typeof error === 'object' && error !== null && 'syscall' in error;

/** The error of SQLite or the file system as the port names it, also for a closed file; any other error unchanged. */
export const asStoreError = (error: unknown, file: string): unknown =>
  isSqliteError(error) || isFileError(error) || codeOf(error) === 'ERR_INVALID_STATE'
    ? new StoreUnavailable(`${file}: ${messageOf(error)}${whatToDo(error, file)}`, { cause: error })
    : error;

/** For a file that has to be replaced. It holds nothing that the log does not have. */
export const canBeMadeAgain = (file: string): string =>
  `It can be made again from the log: stop all processes, move ${basename(file)}, ${basename(file)}-wal and ` +
  `${basename(file)}-shm out of the folder, and start`;

const whatToDo = (error: unknown, file: string): string => {
  switch (errcodeOf(error) & PRIMARY) {
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
