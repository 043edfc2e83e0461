import { setTimeout } from 'node:timers/promises';
import {
  AccessDeniedError,
  convertToCommandError,
  InvalidArgumentError,
  MaxAppendSizeExceededError,
  StreamDeletedError,
  UnsupportedError,
} from '@eventstore/db-client';
import {
  type Duration,
  InvalidAppend,
  type RetryDelays,
  retryDelay,
  StoreUnavailable,
  WrongExpectedRevision,
} from '#kernel';

/** The server gave no answer, or could not answer: the operation may or may not have happened. */
export class NoAnswer extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'NoAnswer';
  }
}

const DELAYS: RetryDelays = { first: 20, longest: 1_000 };

/** Grows with each failure, with jitter, so that processes that lost the same server do not return at the same time. */
export const pauseAfter = (failures: number): Duration => retryDelay(failures, DELAYS) * (0.5 + Math.random() / 2);

/** Repeats idempotent work until it is answered, for at most `timeout`, or until the signal aborts. */
export async function withRetries<T>(work: () => Promise<T>, timeout: Duration, signal?: AbortSignal): Promise<T> {
  const end = performance.now() + timeout;
  for (let failures = 0; ; failures++) {
    try {
      return await work();
    } catch (error) {
      if (!isPassing(error) || signal?.aborted || performance.now() >= end) throw mapped(error);
    }
    await setTimeout(pauseAfter(failures), undefined, { signal }).catch(() => {});
  }
}

const VERDICTS = [StoreUnavailable, WrongExpectedRevision, InvalidAppend];
/** A repeat would get the same error. */
const FINAL = [
  AccessDeniedError,
  InvalidArgumentError,
  MaxAppendSizeExceededError,
  StreamDeletedError,
  UnsupportedError,
];

export const isPassing = (error: unknown): boolean => {
  const failure = asCommandError(error);
  return ![...VERDICTS, ...FINAL].some((kind) => failure instanceof kind);
};

export const nothingOfTheDeleted = (error: unknown): [] => {
  if (asCommandError(error) instanceof StreamDeletedError) return [];
  throw error;
};

export const mapped = (error: unknown): Error => {
  const failure = asCommandError(error);
  if (VERDICTS.some((kind) => failure instanceof kind)) return failure;
  if (failure instanceof StreamDeletedError)
    return new InvalidAppend(`${failure.streamName} has been deleted permanently`);
  if (failure instanceof MaxAppendSizeExceededError) {
    return new InvalidAppend(`at most ${failure.maxAppendSize} bytes in one append`);
  }
  return new StoreUnavailable(`event log: ${failure.message}`, { cause: failure });
};

const asCommandError = (error: unknown): Error =>
  error instanceof Error ? convertToCommandError(error) : new Error(String(error));
