import type { Duration, Instant } from '#kernel';

/** The answer to a request, of which only the status and `Retry-After` are kept, or why there is none. */
export interface SendOutcome {
  /** Null without an answer. */
  readonly status: number | null;
  /** Null for an answer with 2xx, `refused` for any other, also a redirect. */
  readonly error:
    | 'refused'
    | 'timeout'
    | 'connection_failed'
    | 'tls_failed'
    | 'dns_failed'
    | 'target_forbidden'
    | 'response_invalid'
    | null;
  readonly retryAfter?: Duration;
}

/** An attempt as it is recorded. Events of builds up to 0.8 have no time and duration. */
export interface SendResult {
  readonly status: number | null;
  readonly error: string | null;
  readonly sentAt?: Instant;
  readonly ms?: Duration;
}
