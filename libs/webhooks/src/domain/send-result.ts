import type { Duration, Instant } from '#kernel';
import type { SendOutcome } from './send-outcome.js';

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
