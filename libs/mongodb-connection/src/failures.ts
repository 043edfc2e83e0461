import {
  MongoBulkWriteError,
  MongoError,
  MongoNetworkError,
  MongoNetworkTimeoutError,
  MongoServerError,
} from 'mongodb';
import { StoreUnavailable } from '#kernel';

const DUPLICATE_KEY = 11_000;
/** FerretDB on SQLite has no code for a replacement or an index that breaks a unique one. */
const UNIQUE_IN_SQLITE = 'UNIQUE constraint failed';

export const isDuplicateKey = (error: unknown): boolean =>
  (error instanceof MongoServerError || error instanceof MongoBulkWriteError) &&
  (error.code === DUPLICATE_KEY || error.message.includes(UNIQUE_IN_SQLITE));

/** A connection broke, or another server is about to be the primary: the same may go well at once. */
export const mayGoWellAgain = (error: unknown): boolean =>
  error instanceof MongoError &&
  !(error instanceof MongoNetworkTimeoutError) &&
  (error instanceof MongoNetworkError ||
    error.hasErrorLabel('RetryableWriteError') ||
    error.hasErrorLabel('RetryableError') ||
    error.hasErrorLabel('PoolRequestedRetry'));

/**
 * What the client throws as the port names it; anything else as it is. Neither the error nor the text of a server's
 * refusal goes along, because they quote documents; what says why a server can not be reached names hosts only.
 */
export const asStoreError = (error: unknown): unknown => {
  if (!(error instanceof MongoError)) return error;
  const reason = error instanceof MongoServerError || error instanceof MongoBulkWriteError ? '' : `: ${error.message}`;
  const code = error.code === undefined ? '' : ` ${error.code}`;
  return new StoreUnavailable(`the document store failed with ${error.name}${code}${reason}`);
};
