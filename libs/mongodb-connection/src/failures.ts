import {
  MongoBulkWriteError,
  MongoError,
  MongoNetworkError,
  MongoNetworkTimeoutError,
  MongoOperationTimeoutError,
  MongoServerError,
  MongoServerSelectionError,
} from 'mongodb';
import { StoreUnavailable } from '#kernel';

const DUPLICATE_KEY = 11_000;
/** The driver does not export its class. */
const WAIT_QUEUE_TIMEOUT = 'MongoWaitQueueTimeoutError';
/** MaxTimeMSExpired, and ExceededTimeLimit: the server itself stopped the command. */
const SERVER_TIMEOUTS: ReadonlySet<unknown> = new Set([50, 262]);

export const isDuplicateKey = (error: unknown): boolean =>
  (error instanceof MongoServerError || error instanceof MongoBulkWriteError) && error.code === DUPLICATE_KEY;

/** Whether no answer came in time: the command may be done, or may still run. */
export const hasTimedOut = (error: unknown): boolean => {
  const cause = causeOf(error);
  return (
    cause instanceof MongoNetworkTimeoutError ||
    cause instanceof MongoServerSelectionError ||
    (cause instanceof MongoError && cause.name === WAIT_QUEUE_TIMEOUT) ||
    cause instanceof MongoOperationTimeoutError ||
    (cause instanceof MongoServerError && SERVER_TIMEOUTS.has(cause.code))
  );
};

/** A connection broke, or the primary changes: the same command may succeed immediately. */
export const mayGoWellAgain = (error: unknown): boolean => {
  const cause = causeOf(error);
  return (
    cause instanceof MongoError &&
    !(cause instanceof MongoNetworkTimeoutError) &&
    (cause instanceof MongoNetworkError ||
      cause.hasErrorLabel('RetryableWriteError') ||
      cause.hasErrorLabel('RetryableError') ||
      cause.hasErrorLabel('PoolRequestedRetry'))
  );
};

/**
 * Turns the client's errors into the port's; other errors do not change. The client's error and the server's message
 * are left out, because they quote documents. The reason why a server cannot be reached names only hosts.
 */
export const asStoreError = (error: unknown): unknown => {
  const cause = causeOf(error);
  if (!(cause instanceof MongoError)) return error;
  const reason = cause instanceof MongoServerError ? '' : `: ${cause.message}`;
  const code = cause.code === undefined ? '' : ` ${cause.code}`;
  const what = hasTimedOut(cause) ? 'did not answer in time' : 'failed';
  return new StoreUnavailable(`the document store ${what}, ${cause.name}${code}${reason}`);
};

/** The driver wraps a connection's error during a bulk write in an error of the bulk write. */
const causeOf = (error: unknown): unknown =>
  error instanceof MongoBulkWriteError && error.errorResponse instanceof MongoError ? error.errorResponse : error;
