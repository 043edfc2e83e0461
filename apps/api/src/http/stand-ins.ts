import type { FastifyInstance } from 'fastify';
import { PersonalDataUnreadable, textHoldsStandIn } from '#kernel';

/** D71: an answer that would contain a stand-in for a personal text is 503; such an item is not left out of a list. */
export const refuseStandIns = (fastify: FastifyInstance): void => {
  fastify.addHook('onSend', ({ id }, _reply, payload, done) => {
    if (typeof payload !== 'string' || !textHoldsStandIn(payload)) return done();
    done(new PersonalDataUnreadable(`the answer to ${id} holds a personal text that cannot be decrypted`));
  });
};
