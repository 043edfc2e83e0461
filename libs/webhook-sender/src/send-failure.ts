import { errors } from 'undici';
import type { SendOutcome } from '#webhooks';

type FailureCode = Exclude<SendOutcome['error'], 'refused' | null>;

/** Why no answer came. Message and cause are for the log only, because they may contain addresses. */
export class SendFailure extends Error {
  constructor(
    readonly code: FailureCode,
    options?: ErrorOptions,
  ) {
    super(code, options);
    this.name = 'SendFailure';
  }
}

/** The outcome for an error of the transport. An error that says nothing about the receiver is thrown. */
export const failureOf = (error: unknown): SendOutcome => {
  if (error instanceof errors.InvalidArgumentError || error instanceof errors.ClientClosedError) throw error;
  return { status: null, error: codeOf(error) };
};

const codeOf = (error: unknown): FailureCode => {
  if (error instanceof SendFailure) return error.code;
  return isMalformed(error) ? 'response_invalid' : 'connection_failed';
};

/**
 * The answer is not valid HTTP. A broken connection says nothing about the answer; undici reports one within the headers
 * as a parser error with `EOF`. It reports several lengths in the headers as a mismatch, and the statuses 100 and 101 as
 * `bad response` and `bad upgrade`.
 */
const isMalformed = (error: unknown): boolean =>
  error instanceof errors.HeadersOverflowError ||
  error instanceof errors.ResponseContentLengthMismatchError ||
  (error instanceof errors.HTTPParserError && !error.message.includes('EOF')) ||
  (error instanceof errors.SocketError && /^bad (?:response|upgrade)$/.test(error.message));
