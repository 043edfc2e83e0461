import { expect, it } from '@jest/globals';
import { fastify } from 'fastify';
import { ENCRYPTED, silentLogger } from '#kernel';
import { sendError } from './error.filter.js';
import { refuseStandIns } from './stand-ins.js';

it('leaves no header of the success that an answer was before it was refused', async () => {
  const server = fastify();
  server.setErrorHandler((error, request, reply) => sendError(error, request, reply, silentLogger));
  refuseStandIns(server);
  server.get('/report', (_request, reply) => {
    reply.header('content-type', 'text/csv; charset=utf-8').header('content-disposition', 'attachment');
    return reply.header('x-next-cursor', 'cursor').send(`"${ENCRYPTED}"`);
  });
  const { statusCode, headers } = await server.inject('/report');
  expect(statusCode).toBe(503);
  expect(headers['content-type']).toMatch(/json/);
  expect(headers).not.toHaveProperty('content-disposition');
  expect(headers).not.toHaveProperty('x-next-cursor');
  await server.close();
});
