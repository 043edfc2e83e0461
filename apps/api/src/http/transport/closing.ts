import type { FastifyInstance } from 'fastify';

/** How often connections without a request in progress are closed, in milliseconds. */
const POLL_INTERVAL = 20;
/** How long requests in progress get, in milliseconds, before their connections are closed. */
const CLOSE_TIMEOUT = 7_000;

/** Each answer is the last of its connection. Node closes only connections that are idle at that moment. */
export const closeInOrder = (fastify: FastifyInstance): void => {
  const { server } = fastify;
  let isClosing = false;
  fastify.addHook('preClose', async () => {
    isClosing = true;
    const ending = setInterval(() => server.closeIdleConnections(), POLL_INTERVAL);
    const cutting = setTimeout(() => server.closeAllConnections(), CLOSE_TIMEOUT);
    server.once('close', () => {
      clearInterval(ending);
      clearTimeout(cutting);
    });
  });
  fastify.addHook('onSend', (_request, reply, _payload, done) => {
    if (isClosing) reply.header('connection', 'close');
    done();
  });
};
