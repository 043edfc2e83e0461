import { ageOf, type Duration, HOUR, type Instant, MAX_CLOCK_SKEW } from '#kernel';

export const RECORDS_PER_PAGE = 100;
export const MAX_RECORDS_IN_REQUEST = 1_000;
/** Four times the interval of the walks means that the worker does not keep up, or does not run. */
const MAX_INTERVALS = 4;

export interface CompleteWalk {
  readonly through: Instant;
  readonly records: number;
  readonly readIn: Duration;
}

export interface LongListOptions {
  readonly providerTimeout: Duration;
  readonly walkEvery: Duration;
}

/** D80: a list that is too long for a request would be `provider_timeout` for good. An old walk is not shown as current. */
export const isLeftToWorker = (walk: CompleteWalk, now: Instant, options: LongListOptions): boolean => {
  const { through, records, readIn } = walk;
  const isLong = records > MAX_RECORDS_IN_REQUEST;
  const isSlow = records > RECORDS_PER_PAGE && readIn > options.providerTimeout / 2;
  return (isLong || isSlow) && ageOf(through, now, MAX_CLOCK_SKEW) <= Math.max(MAX_INTERVALS * options.walkEvery, HOUR);
};
