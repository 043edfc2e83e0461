import type { SendOutcome } from './send-outcome.js';

/** What is recorded of an attempt: the status of the answer, and why it did not deliver. */
export interface SendResult {
  readonly status: number | null;
  readonly error: string | null;
}

export const resultOf = (outcome: SendOutcome): SendResult => {
  switch (outcome.kind) {
    case 'delivered':
      return { status: outcome.status, error: null };
    case 'refused':
      return { status: outcome.status, error: 'refused' };
    case 'failed':
      return { status: null, error: outcome.error };
  }
};
