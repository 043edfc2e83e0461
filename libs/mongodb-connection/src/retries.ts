import { setTimeout as delay } from 'node:timers/promises';
import {
  MongoBulkWriteError,
  type MongoClientOptions,
  MongoError,
  MongoNetworkError,
  MongoNetworkTimeoutError,
  MongoOperationTimeoutError,
  MongoServerError,
  MongoServerSelectionError,
} from 'mongodb';
import { assertLeading, type Duration, StoreUnavailable } from '#kernel';

const DUPLICATE_KEY = 11_000;
/** The driver does not export its class. */
const WAIT_QUEUE_TIMEOUT = 'MongoWaitQueueTimeoutError';
/** MaxTimeMSExpired, and ExceededTimeLimit: the server itself stopped the command. */
const SERVER_TIMEOUTS: ReadonlySet<unknown> = new Set([50, 262]);

export const isDuplicateKey = (error: unknown): boolean =>
  (error instanceof MongoServerError || error instanceof MongoBulkWriteError) && error.code === DUPLICATE_KEY;

/** Whether no answer came in time: the command may be done, or may still be running. */
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

/** A connection broke, or the primary changed: the same command may succeed immediately. */
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

const causeOf = (error: unknown): unknown =>
  error instanceof MongoBulkWriteError && error.errorResponse instanceof MongoError ? error.errorResponse : error;

export type Work = 'requests' | 'background';

type Timeouts = Pick<
  MongoClientOptions,
  'serverSelectionTimeoutMS' | 'connectTimeoutMS' | 'waitQueueTimeoutMS' | 'socketTimeoutMS' | 'maxPoolSize'
>;

interface Limits {
  readonly timeouts: Timeouts;
  readonly waits: readonly number[];
  readonly retriesTimeouts: boolean;
}

export const LIMITS: Readonly<Record<Work, Limits>> = {
  requests: {
    // A request may wait for several of these, and its client must still be connected when it is answered.
    timeouts: {
      serverSelectionTimeoutMS: 2_000,
      connectTimeoutMS: 2_000,
      waitQueueTimeoutMS: 5_000,
      socketTimeoutMS: 5_000,
      maxPoolSize: 50,
    },
    waits: [50, 250],
    retriesTimeouts: false,
  },
  background: {
    // A batch of 500 documents, or an index over a large collection, is slow on a busy server.
    timeouts: {
      serverSelectionTimeoutMS: 10_000,
      connectTimeoutMS: 10_000,
      waitQueueTimeoutMS: 120_000,
      socketTimeoutMS: 120_000,
      maxPoolSize: 10,
    },
    waits: [50, 250, 1_000, 5_000],
    retriesTimeouts: true,
  },
};

/** Runs a task that may have been done although it failed; `isRepeat` says whether. Rejects with `StoreUnavailable`. */
export type Repeating = <T>(task: (isRepeat: boolean) => Promise<T>) => Promise<T>;

export const repeatingFor = (work: Work, pause: (wait: Duration) => Promise<unknown> = delay): Repeating => {
  const { waits, retriesTimeouts } = LIMITS[work];
  return async (task) => {
    for (let attempt = 0; ; attempt++) {
      assertLeading();
      try {
        return await task(attempt > 0);
      } catch (error) {
        const isWorthwhile = mayGoWellAgain(error) || (retriesTimeouts && hasTimedOut(error));
        const wait = isWorthwhile ? waits[attempt] : undefined;
        if (wait === undefined) throw asStoreError(error);
        await pause(wait);
      }
    }
  };
};

export const once = async <T>(task: () => Promise<T>): Promise<T> => {
  assertLeading();
  try {
    return await task();
  } catch (error) {
    throw asStoreError(error);
  }
};
