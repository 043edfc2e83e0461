import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Logger } from '#kernel';
import { ERROR_CATALOGUE } from './error-catalogue.js';
import { asDomainError, errorBody } from './error-response.js';

/** Turns every error into the error envelope, and logs the cause if it is not the caller's fault. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(private readonly logger: Logger) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    sendError(error, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>(), this.logger);
  }
}

const HEADERS_OF_SUCCESS = ['content-disposition', 'x-next-cursor'];

export const sendError = (error: unknown, request: FastifyRequest, reply: FastifyReply, logger: Logger): void => {
  const refusal = asDomainError(error);
  const { status } = ERROR_CATALOGUE[refusal.code];
  if (status >= 500) {
    logger.error({ err: refusal.cause ?? error, code: refusal.code, request_id: request.id }, 'request failed');
  }
  // Of the success that an answer was before it failed on its way out (D71).
  for (const name of HEADERS_OF_SUCCESS) reply.removeHeader(name);
  if (status === 401) reply.header('www-authenticate', 'Bearer');
  if (refusal.retryAfterSeconds !== undefined) reply.header('retry-after', String(refusal.retryAfterSeconds));
  reply.status(status).send(errorBody(refusal, request.id));
};
