import type { Duration } from '#kernel';

/** The outcome of an attempt. Of a response only its status and its `Retry-After` are kept. */
export type SendOutcome =
  | { readonly kind: 'delivered'; readonly status: number }
  /** Any answer that is not 2xx, also a redirect. */
  | { readonly kind: 'refused'; readonly status: number; readonly retryAfter?: Duration }
  | {
      readonly kind: 'failed';
      readonly error:
        | 'timeout'
        | 'connection_failed'
        | 'tls_failed'
        | 'dns_failed'
        | 'target_forbidden'
        | 'response_invalid';
    };
