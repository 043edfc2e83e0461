import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DomainError, type ErrorCode, Logger, PersonalDataUnreadable, StoreUnavailable } from '#kernel';
import type { AccessedRequest } from './access.js';
import { DASHBOARD_MESSAGES, ERROR_CATALOGUE } from './error-catalogue.js';

interface ErrorBody {
  readonly error: { readonly code: ErrorCode; readonly message: string; readonly details?: readonly object[] };
  readonly request_id: string;
}

/** Maps any error to a refusal. An error that is neither the caller's nor a provider's is ours. */
const asDomainError = (error: unknown): DomainError => {
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

/** Turns every error into the error envelope, and logs its cause if the status is 5xx. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(private readonly logger: Logger) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    sendError(error, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>(), this.logger);
  }
}

/** Headers that a handler may have set before the answer was refused (D71). */
const OF_SUCCESS = ['location', 'content-disposition', 'x-next-cursor'];

export const sendError = (error: unknown, request: AccessedRequest, reply: FastifyReply, logger: Logger): void => {
  const refusal = asDomainError(error);
  request.refusal = refusal;
  const { status } = ERROR_CATALOGUE[refusal.code];
  if (status >= 500) {
    logger.error({ err: refusal.cause ?? error, code: refusal.code, request_id: request.id }, 'request failed');
  }
  for (const name of OF_SUCCESS) reply.removeHeader(name);
  if (refusal.creatorId !== undefined) reply.header('location', `/v1/creators/${refusal.creatorId}`);
  // D116: the methods that the client may use instead.
  if (status === 415 && request.headers['content-encoding'] !== undefined) reply.header('accept-encoding', 'identity');
  if (status === 401) reply.header('www-authenticate', 'Bearer');
  if (refusal.retryAfterSeconds !== undefined) reply.header('retry-after', String(refusal.retryAfterSeconds));
  reply.status(status).send(errorBody(refusal, request.id, request.url.startsWith('/dashboard')));
};
