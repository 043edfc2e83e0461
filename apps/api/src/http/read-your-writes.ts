import type { FastifyInstance } from 'fastify';
import { VIEWS } from '#contexts';
import type { Progress } from '#kernel';
import type { AccessedRequest } from './access.js';

/**
 * An answer to a write, whatever it says, is given once the views have passed what was written, or after two
 * seconds; it does not wait for a view that stands still (D68).
 * A hook of the server and no interceptor: reads do not pay for it.
 */
export const readYourWrites = (fastify: FastifyInstance, progress: Progress): void => {
  fastify.addHook('onSend', (request: AccessedRequest, _reply, _payload, done) => {
    const position = request.access?.context.consistencyToken.position ?? 0;
    if (request.method === 'GET' || position === 0) return done();
    // Where nobody can say how far they are, what was done is told none the less.
    const answer = () => done();
    progress.passedSoon(VIEWS, position).then(answer, answer);
  });
};
