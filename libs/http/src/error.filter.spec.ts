import { expect, it } from '@jest/globals';
import { fastify } from 'fastify';
import { ENCRYPTED, silentLogger } from '#kernel';
import { sendError } from './error.filter.js';
import { refuseStandIns, requireReadable } from './stand-ins.js';

const serving = (handler: (name: string) => unknown) => {
  const server = fastify();
  server.setErrorHandler((error, request, reply) => sendError(error, request, reply, silentLogger));
  refuseStandIns(server);
  server.get<{ Querystring: { name: string } }>('/', async ({ query }, reply) => {
    reply.header('content-disposition', 'attachment').header('x-next-cursor', 'cursor');
    return handler(query.name);
  });
  return async (name: string) => {
    const { statusCode, headers, body } = await server.inject({ path: '/', query: { name } });
    return { statusCode, headers, body };
  };
};

it('leaves no header of the success that an answer was before it was refused', async () => {
  const { statusCode, headers } = await serving((name) => ({ data: [{ name }] }))(ENCRYPTED);
  expect(statusCode).toBe(503);
  expect(headers['content-type']).toMatch(/json/);
  expect(headers).not.toHaveProperty('content-disposition');
  expect(headers).not.toHaveProperty('x-next-cursor');
});

it.each([
  String.raw`https://leaks.example/\u001a[encrypted]`,
  String.raw`\\\u001a[erased]","\u001a[erased]`,
  `a part of a text ${ENCRYPTED}`,
])('D86: sends %j in an answer as it came', async (text) => {
  const { statusCode, body } = await serving((name) => ({ data: [{ name }] }))(text);
  expect([statusCode, JSON.parse(body)]).toEqual([200, { data: [{ name: text }] }]);
  const csv = await serving((name) => {
    requireReadable([{ name }], 'req_1');
    return `"${name}"`;
  })(text);
  expect([csv.statusCode, csv.body]).toEqual([200, `"${text}"`]);
});

it('D71: refuses an answer whose text would be made of a stand-in', () => {
  expect(() => requireReadable([{ url: ENCRYPTED }], 'req_1')).toThrow('the answer to req_1');
});
