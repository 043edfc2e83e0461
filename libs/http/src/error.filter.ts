import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Logger } from '#kernel';
import type { AccessedRequest } from './access.js';
import { ERROR_CATALOGUE } from './error-catalogue.js';
import { asDomainError, errorBody } from './error-response.js';

/** Turns every error into the error envelope, and logs its cause if the status is 5xx. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(private readonly logger: Logger) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    sendError(error, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>(), this.logger);
  }
}

/** What a handler may have set on an answer that is refused before it leaves (D71). */
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
  // D116: what the client may send instead.
  if (status === 415 && request.headers['content-encoding'] !== undefined) reply.header('accept-encoding', 'identity');
  if (status === 401) reply.header('www-authenticate', 'Bearer');
  if (refusal.retryAfterSeconds !== undefined) reply.header('retry-after', String(refusal.retryAfterSeconds));
  reply.status(status).send(errorBody(refusal, request.id, request.url.startsWith('/dashboard')));
};
