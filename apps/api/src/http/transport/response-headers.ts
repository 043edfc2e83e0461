import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

const MODE = 'live';

/** The headers of every answer (D4, D73): it is live, must not be cached, and its type must not be guessed. */
export const headersOfEveryAnswer = (requestId: string) => ({
  'x-svc-mode': MODE,
  'x-request-id': requestId,
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
});

/** Sets them when the request arrives, and again before the answer is sent, because serving a file sets others. */
export const setHeadersOfEveryAnswer = (fastify: FastifyInstance): void => {
  // Hooks without asynchronous work take a callback, because a promise for each hook and request is measurable.
  fastify.addHook('onRequest', (request, reply, done) => {
    setHeaders(request, reply);
    done();
  });
  fastify.addHook('onSend', (request, reply, _payload, done) => {
    if (reply.getHeader('cache-control') !== 'no-store') setHeaders(request, reply);
    done();
  });
};

export const setHeaders = (request: FastifyRequest, reply: FastifyReply): void => {
  reply.headers(headersOfEveryAnswer(request.id));
};
