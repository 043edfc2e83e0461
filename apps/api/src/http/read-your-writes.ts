import type { FastifyInstance } from 'fastify';
import { ENROLLMENT_COUNT } from '#creators';
import { PUBLISHER } from '#event-feed';
import type { Progress } from '#kernel';
import { READ_MODELS } from '#projections';
import { SCAN_PLACES } from '#scans';
import { METERING } from '#usage';
import type { AccessedRequest } from './access.js';

/** What an agency can read of a write: lists, feed, usage, and what a pause cancels. */
export const VIEWS = [READ_MODELS, PUBLISHER, METERING, SCAN_PLACES, ENROLLMENT_COUNT];

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
