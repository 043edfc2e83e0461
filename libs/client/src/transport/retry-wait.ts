import { ApiError, ConnectionError, type CreatorProtectionError } from '../errors.js';
import { isOwn } from './response.js';

const FIRST_WAIT = 500;
const MAX_WAIT = 8_000;
/** The longest `Retry-After` in seconds that a call waits for; a longer one is left to the caller. */
const MAX_RETRY_AFTER = 60;
/** A follower waits for any duration, and asks again after an hour at the latest. */
const MAX_RETRY_AFTER_OF_FOLLOWER = 3_600;

const TRANSIENT = /^(?:408|425|429|50[2347]|52\d|530)$/;

/** `call` gives up when a retry cannot help soon; `follower` continues while the fault may end without the caller. */
export type Persistence = 'call' | 'follower';

/** The wait before the next try in milliseconds, with jitter; undefined if the error is final. */
export const waitBeforeRetry = (
  error: CreatorProtectionError,
  attempt: number,
  persistence: Persistence,
  random: () => number,
): number | undefined => {
  const backoff = Math.min(MAX_WAIT, FIRST_WAIT * 2 ** (attempt - 1)) * (0.5 + random() / 2);
  if (error instanceof ConnectionError) return backoff;
  if (!(error instanceof ApiError) || !isTransient(error)) return undefined;
  const retryAfter = error.retryAfter ?? 0;
  if (persistence === 'follower') return Math.min(retryAfter, MAX_RETRY_AFTER_OF_FOLLOWER) * 1_000 + backoff;
  return retryAfter <= MAX_RETRY_AFTER ? retryAfter * 1_000 + backoff : undefined;
};

/** An answer from something else, such as a load balancer during a deployment, says nothing about the call. */
const isTransient = ({ status, code, response }: ApiError): boolean =>
  !isOwn(response) || (TRANSIENT.test(`${status}`) && code !== 'scan_limit_reached');
