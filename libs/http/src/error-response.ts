import { DomainError, type ErrorCode, PersonalDataUnreadable, StoreUnavailable } from '#kernel';
import { DASHBOARD_MESSAGES, ERROR_CATALOGUE } from './error-catalogue.js';

export interface ErrorBody {
  readonly error: { readonly code: ErrorCode; readonly message: string; readonly details?: readonly object[] };
  readonly request_id: string;
}

/** The refusal for an error of any kind. An error that is not known to be the caller's or a provider's is ours. */
export const asDomainError = (error: unknown): DomainError => {
  if (error instanceof DomainError) return error;
  if (error instanceof StoreUnavailable || error instanceof PersonalDataUnreadable) {
    return new DomainError('provider_unavailable', { cause: error });
  }
  const status = statusOf(error);
  if (status === 404) return new DomainError('not_found');
  if (status === 405) return new DomainError('method_not_allowed');
  if (status === 408) return new DomainError('request_timeout');
  if (status === 413) return new DomainError('payload_too_large');
  if (status === 414) return new DomainError('uri_too_long');
  if (status === 415) return new DomainError('unsupported_media_type');
  if (status !== undefined && status >= 400 && status < 500) return unreadable(error);
  return new DomainError('internal_error', { cause: error });
};

export const unreadable = (cause?: unknown): DomainError =>
  new DomainError('invalid_request', { fields: [{ field: 'request', message: 'cannot be read' }], cause });

/** D98: more than a person corrects in one step. */
const MAX_DETAILS = 20;

export const errorBody = (
  { code, fields, says }: DomainError,
  requestId: string,
  isOfDashboard = false,
): ErrorBody => ({
  error: {
    code,
    message: (isOfDashboard ? DASHBOARD_MESSAGES[code] : undefined) ?? says ?? ERROR_CATALOGUE[code].message,
    ...(code === 'invalid_request' && { details: fields.slice(0, MAX_DETAILS) }),
  },
  request_id: requestId,
});

/** Fastify's errors carry `statusCode`, Nest's answer `getStatus()`. */
const statusOf = (error: unknown): number | undefined => {
  if (typeof error !== 'object' || error === null) return undefined;
  if ('statusCode' in error && typeof error.statusCode === 'number') return error.statusCode;
  if ('getStatus' in error && typeof error.getStatus === 'function') return Number(error.getStatus());
  return undefined;
};
