import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

const MODE = 'live';

/** What every answer carries (D4, D73): it is live, nobody keeps a copy of it, and nobody guesses its type. */
export const headersOfEveryAnswer = (requestId: string) => ({
  'x-svc-mode': MODE,
  'x-request-id': requestId,
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
});

/** Sets them when the request arrives, and again before the answer leaves, because what serves files sets its own. */
export const setHeadersOfEveryAnswer = (fastify: FastifyInstance): void => {
  // Hooks that have nothing to wait for take a callback: a promise for each, and for each request, adds up.
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
