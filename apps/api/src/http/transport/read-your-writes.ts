import type { FastifyInstance } from 'fastify';
import { VIEWS } from '#contexts';
import type { Progress } from '#kernel';
import type { AccessedRequest } from './access/access.js';

/**
 * An answer to a write, also an error, waits until the read models have passed the written events, for at most two
 * seconds. It does not wait for a read model that makes no progress (D68).
 * This is a hook of the server and not an interceptor, so that reads do not pay for it.
 */
export const readYourWrites = (fastify: FastifyInstance, progress: Progress): void => {
  fastify.addHook('onSend', (request: AccessedRequest, _reply, _payload, done) => {
    const { context } = request.access ?? request.visitor ?? {};
    const position = context?.consistencyToken.position ?? 0;
    if (request.method === 'GET' || position === 0) return done();
    // If the progress is unknown, the answer is sent without waiting.
    const answer = () => done();
    progress.passedSoon(VIEWS, position).then(answer, answer);
  });
};
