import type { FastifyInstance } from 'fastify';
import { holdsStandIn, PersonalDataUnreadable } from '#kernel';

/** D71: an answer with a stand-in is 503. Checked before it becomes JSON (D86); errors name fields, and pass. */
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
