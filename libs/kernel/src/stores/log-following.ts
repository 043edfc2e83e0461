import { setTimeout as delay } from 'node:timers/promises';
import type { Position } from '../events/event.js';
import { type RetryDelays, retryDelay, SECOND } from '../instant.js';
import type { Logger } from '../logger.js';
import type { EventLog, LogFilter, LogPage } from './event-log.js';

const DELAYS: RetryDelays = { first: 50, longest: SECOND };

interface Attempts {
  readonly what: string;
  readonly signal: AbortSignal;
  readonly logger: Logger;
  /** Reports a failure; by default a warning that names `what`. */
  readonly report?: (error: unknown) => void;
}

export interface LogFollowing extends Attempts {
  /** Undefined: the end of the log when it is first known. */
  readonly after?: Position;
  readonly filter: LogFilter;
}

/** Follows the log in spite of failures, until it is closed or the signal is aborted. */
export const followLog = (
  log: Pick<EventLog, 'follow' | 'head'>,
  following: LogFollowing,
  onPage: (page: LogPage) => void,
): Promise<void> => {
  const { filter, signal } = following;
  let { after } = following;
  return retryUntilDone(async (onProgress) => {
    after ??= await log.head();
    for await (const page of log.follow({ ...filter, after, signal })) {
      onPage(page);
      after = page.reached;
      onProgress();
    }
  }, following);
};

/** Repeats the work after each failure, until it ends without one or the signal is aborted. */
export const retryUntilDone = async (
  work: (onProgress: () => void) => Promise<void>,
  { what, signal, logger, report }: Attempts,
): Promise<void> => {
  let failures = 0;
  const onProgress = () => {
    failures = 0;
  };
  while (!signal.aborted) {
    try {
      return await work(onProgress);
    } catch (error) {
      if (signal.aborted) return;
      const wait = retryDelay(failures++, DELAYS);
      if (report !== undefined) report(error);
      else logger.warn({ err: error, retry_in_ms: wait }, `could not follow ${what}; trying again`);
      await delay(wait, undefined, { signal }).catch(() => undefined);
    }
  }
};
