import { setTimeout } from 'node:timers/promises';
import {
  AccessDeniedError,
  convertToCommandError,
  InvalidArgumentError,
  MaxAppendSizeExceededError,
  StreamDeletedError,
  UnsupportedError,
} from '@eventstore/db-client';
import { type Duration, InvalidAppend, StoreUnavailable, WrongExpectedRevision } from '#kernel';

/** The server has said nothing, or that it can not say: what was asked may or may not have happened. */
export class NoAnswer extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'NoAnswer';
  }
}

const FIRST_PAUSE: Duration = 20;
const LONGEST_PAUSE: Duration = 1_000;

/** Grows from failure to failure, unevenly, so that processes that lost the same server do not come back in step. */
export const pauseAfter = (failures: number): Duration =>
  Math.min(FIRST_PAUSE * 2 ** failures, LONGEST_PAUSE) * (0.5 + Math.random() / 2);

/** Repeats what may safely be repeated until it is answered, at most as long as `patience`, or the signal, lets it. */
export async function patiently<T>(work: () => Promise<T>, patience: Duration, signal?: AbortSignal): Promise<T> {
  const end = performance.now() + patience;
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
/** The same would be said again. */
const FINAL = [
  AccessDeniedError,
  InvalidArgumentError,
  MaxAppendSizeExceededError,
  StreamDeletedError,
  UnsupportedError,
];

export const isPassing = (error: unknown): boolean => {
  const told = asTold(error);
  return ![...VERDICTS, ...FINAL].some((kind) => told instanceof kind);
};

/** For reads: nothing is left of a stream that was deleted for good. */
export const nothingOfTheDeleted = (error: unknown): [] => {
  if (asTold(error) instanceof StreamDeletedError) return [];
  throw error;
};

/** In the words of the port. */
export const mapped = (error: unknown): Error => {
  const told = asTold(error);
  if (VERDICTS.some((kind) => told instanceof kind)) return told;
  if (told instanceof StreamDeletedError) return new InvalidAppend(`${told.streamName} has been deleted for good`);
  if (told instanceof MaxAppendSizeExceededError) {
    return new InvalidAppend(`at most ${told.maxAppendSize} bytes in one append`);
  }
  return new StoreUnavailable(`event log: ${told.message}`, { cause: told });
};

const asTold = (error: unknown): Error =>
  error instanceof Error ? convertToCommandError(error) : new Error(String(error));
