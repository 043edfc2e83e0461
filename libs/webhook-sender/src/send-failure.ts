import { errors } from 'undici';
import type { SendOutcome } from '#webhooks';

type FailureCode = Extract<SendOutcome, { kind: 'failed' }>['error'];

/** Why no answer came. The message and cause stay inside: they may name addresses. */
export class SendFailure extends Error {
  constructor(
    readonly code: FailureCode,
    options?: ErrorOptions,
  ) {
    super(code, options);
    this.name = 'SendFailure';
  }
}

/** What an error of the transport says about the receiver; one that says nothing about it is thrown. */
export const failureOf = (error: unknown): SendOutcome => {
  if (error instanceof errors.InvalidArgumentError || error instanceof errors.ClientClosedError) throw error;
  return { kind: 'failed', error: codeOf(error) };
};

const codeOf = (error: unknown): FailureCode => {
  if (error instanceof SendFailure) return error.code;
  return isNonsense(error) ? 'response_invalid' : 'connection_failed';
};

/**
 * Something was answered, but nothing that HTTP allows. A connection that broke within the headers is a parser's error
 * too, and says nothing about the answer; a mismatch, as long as there are no headers, is one of several lengths that
 * they tell; `bad response` and `bad upgrade` are undici's words for 100 and 101.
 */
const isNonsense = (error: unknown): boolean =>
  error instanceof errors.HeadersOverflowError ||
  error instanceof errors.ResponseContentLengthMismatchError ||
  (error instanceof errors.HTTPParserError && !error.message.includes('EOF')) ||
  (error instanceof errors.SocketError && /^bad (?:response|upgrade)$/.test(error.message));
