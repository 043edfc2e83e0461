import { DomainError } from '#kernel';
import type { Answer } from './answer.js';

export type ProviderErrorCode = 'provider_timeout' | 'provider_unavailable' | 'provider_invalid_response';

/** A call that brought no usable answer. The cause says what went wrong, without values, addresses or the token. */
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

export const invalidResponse = (operation: string, reason: string) =>
  new ProviderError('provider_invalid_response', operation, reason);

export const passingFault = (operation: string, { status, retryAfter = '' }: Answer) =>
  new ProviderError(
    'provider_unavailable',
    operation,
    `HTTP ${status}`,
    /^\d{1,5}$/.test(retryAfter) ? Number(retryAfter) : undefined,
  );

/** Errors of the transport which mean that something was answered, but nothing that HTTP or the contract allows. */
const NONSENSE = /^(?:HPE_\w+|UND_ERR_(?:HEADERS_OVERFLOW|RES_EXCEEDED_MAX_SIZE|RES_CONTENT_LENGTH_MISMATCH))$/;

/** Only the code of the transport's error is kept: the error itself may quote what was received. */
export const transportError = (operation: string, error: unknown, deadlinePassed: boolean): ProviderError => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (deadlinePassed || code === 'UND_ERR_CONNECT_TIMEOUT') {
    return new ProviderError('provider_timeout', operation, 'no complete answer in time');
  }
  if (NONSENSE.test(code)) return invalidResponse(operation, code);
  return new ProviderError('provider_unavailable', operation, /^[A-Z_\d]+$/.test(code) ? code : 'broken connection');
};
