import { errors } from 'undici';
import { DomainError } from '#kernel';
import type { Answer } from './call.js';

export type ProviderErrorCode = 'provider_timeout' | 'provider_unavailable' | 'provider_invalid_response';

/** A call without a usable answer. The cause names the reason, without values, addresses or the token. */
export class ProviderError extends DomainError {
  constructor(
    override readonly code: ProviderErrorCode,
    operation: string,
    reason: string,
    retryAfterSeconds?: number,
  ) {
    const cause = new Error(`${operation}: ${reason}`);
    super(code, retryAfterSeconds === undefined ? { cause } : { cause, retryAfterSeconds });
  }
}

/** The answer has more bytes than the caller accepts; a shorter page may fit. */
export class AnswerTooLong extends ProviderError {
  constructor(operation: string, maxBytes: number) {
    super('provider_invalid_response', operation, `more than ${maxBytes} bytes`);
  }
}

export const invalidResponse = (operation: string, reason: string) =>
  new ProviderError('provider_invalid_response', operation, reason);

export const transientFailure = (operation: string, { status, retryAfter = '' }: Answer) =>
  new ProviderError(
    'provider_unavailable',
    operation,
    `HTTP ${status}`,
    /^\d{1,5}$/.test(retryAfter) ? Number(retryAfter) : undefined,
  );

/**
 * The answer is not valid HTTP, or longer than the contract allows. A broken connection says nothing about the answer.
 * undici reports one within a chunked body as a parser error with `EOF`, one within a body of known length as a mismatch.
 */
const isMalformed = (error: unknown): boolean =>
  error instanceof errors.HeadersOverflowError ||
  error instanceof errors.ResponseExceededMaxSizeError ||
  (error instanceof errors.HTTPParserError && !error.message.includes('EOF'));

/** Keeps only kind and code of the transport's error, because the error may quote what was received. */
export const transportError = (operation: string, error: unknown, deadlinePassed: boolean): ProviderError => {
  if (deadlinePassed || error instanceof errors.ConnectTimeoutError) {
    return new ProviderError('provider_timeout', operation, 'no complete answer in time');
  }
  const reason = reasonOf(error);
  return isMalformed(error)
    ? invalidResponse(operation, reason)
    : new ProviderError('provider_unavailable', operation, reason);
};

const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return 'broken connection';
  return 'code' in error && typeof error.code === 'string' ? `${error.name} ${error.code}` : error.name;
};
