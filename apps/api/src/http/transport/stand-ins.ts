import type { FastifyInstance } from 'fastify';
import { holdsStandIn, PersonalDataUnreadable } from '#kernel';

/**
 * D71: an answer that would contain a stand-in for a personal text is 503; such an item is not left out of a list. The
 * answer is checked before it becomes JSON (D86). An error names fields of the request, which may begin like a stand-in,
 * and holds nothing personal. A handler that makes the text of its answer itself checks before that.
 */
export const refuseStandIns = (fastify: FastifyInstance): void => {
  fastify.addHook('preSerialization', ({ id }, { statusCode }, payload, done) => {
    if (statusCode >= 400 || !holdsStandIn(payload)) return done(null, payload);
    done(unreadable(id));
  });
};

/** The same for values that become the text of an answer, such as CSV. */
export const requireReadable = (values: unknown, requestId: string): void => {
  if (holdsStandIn(values)) throw unreadable(requestId);
};

const unreadable = (requestId: string) =>
  new PersonalDataUnreadable(`the answer to ${requestId} holds a personal text that cannot be decrypted`);
