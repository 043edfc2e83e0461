import { knownError } from '../known-error.js';

export type WebhookProblem =
  | 'body_not_read'
  | 'body_parsed'
  | 'secret_missing'
  | 'signature_missing'
  | 'signature_malformed'
  | 'signature_mismatch'
  | 'timestamp_outside_tolerance';

/** The delivery is not shown to be genuine: answer it with 401. The message says what to do. */
export class WebhookVerificationError extends Error {
  static {
    knownError(WebhookVerificationError, 'WebhookVerificationError');
  }

  constructor(
    readonly code: WebhookProblem,
    message: string,
  ) {
    super(message);
  }
}
