import type { Duration, Instant } from '#kernel';

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

/** When a request was sent, and how long its answer took, or its failure. */
export interface Timing {
  readonly sentAt: Instant;
  readonly ms: Duration;
}

/** What is recorded of an attempt: the status of the answer, and why it did not deliver. Builds up to 0.8 recorded no timing. */
export interface SendResult extends Partial<Timing> {
  readonly status: number | null;
  readonly error: string | null;
}

export const resultOf = (outcome: SendOutcome, timing: Timing): SendResult => {
  switch (outcome.kind) {
    case 'delivered':
      return { status: outcome.status, error: null, ...timing };
    case 'refused':
      return { status: outcome.status, error: 'refused', ...timing };
    case 'failed':
      return { status: null, error: outcome.error, ...timing };
  }
};
