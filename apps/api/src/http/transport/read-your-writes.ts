import type { FastifyInstance } from 'fastify';
import { VIEWS } from '#contexts';
import type { AccessedRequest } from '#http';
import type { LanePositions } from '#kernel';

/** Waits two seconds at most, only for read models that progress (D68). A hook, so that reads do not pay for it. */
export const readYourWrites = (fastify: FastifyInstance, progress: LanePositions): void => {
  fastify.addHook('onSend', (request: AccessedRequest, _reply, _payload, done) => {
    const { context } = request.access ?? request.currentUser ?? {};
    const position = context?.consistencyToken.position ?? 0;
    if (request.method === 'GET' || position === 0) return done();
    // If the progress is unknown, the answer is sent without waiting.
    const answer = () => done();
    progress.waitForPositionBriefly(VIEWS, position).then(answer, answer);
  });
};
