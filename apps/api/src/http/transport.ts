import { randomUUID } from 'node:crypto';
import { maxHeaderSize } from 'node:http';
import type { Socket } from 'node:net';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DomainError, invalidRequest, type Logger } from '#kernel';
import type { Metrics } from '../../../composition/src/index.js';
import type { AccessedRequest } from './access.js';
import type { Admission } from './admission.js';
import { closeInOrder } from './closing.js';
import { sendError } from './error.filter.js';
import { errorBody, unreadable } from './error-response.js';
import { acceptJson, MAX_BODY_BYTES } from './json-body.js';

const MODE = 'live';
/** As long as Node lets a request line be: an id that is no id is looked up like any other, and not found (D9). */
const LONGEST_ID = maxHeaderSize;

/** Leaves unknown routes to the handler that is set beside it, which knows the methods of each path. */
class Transport extends FastifyAdapter {
  override setNotFoundHandler(): FastifyInstance {
    return this.getInstance<FastifyInstance>();
  }
}

/** The HTTP server: what every response carries, whoever makes it (D4). */
export const createTransport = (logger: Logger, metrics: Metrics, admission: Admission): FastifyAdapter => {
  const adapter = new Transport({
    bodyLimit: MAX_BODY_BYTES,
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    // A request that still comes in while the server closes is answered like any other, not by the framework (D4).
    return503OnClosing: false,
    exposeHeadRoutes: false,
    rewriteUrl: ({ url = '/' }) => decodable(url),
    routerOptions: { maxParamLength: LONGEST_ID },
    // Node would refuse it in words of its own.
    http: { requireHostHeader: false },
    frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) => {
      reply.headers({ 'x-svc-mode': MODE, 'x-request-id': request.id });
      const send = (refusal: unknown) => sendError(refusal, request, reply, logger);
      admission.count(request, reply).then(() => send(error), send);
    },
    clientErrorHandler: (_: Error, socket: Socket) => refuseConnection(socket),
  });
  const fastify = adapter.getInstance<FastifyInstance>();
  // Hooks that have nothing to wait for take a callback: a promise for each, and for each request, adds up.
  fastify.addHook('onRequest', (request, reply, done) => {
    reply.header('x-svc-mode', MODE).header('x-request-id', request.id);
    done();
  });
  // An expectation that is not known may be ignored; Node's own refusal of it has no body.
  fastify.server.on('checkExpectation', (request, response) => fastify.server.emit('request', request, response));
  fastify.addHook('onResponse', (request: AccessedRequest, reply, done) => {
    const route = request.routeOptions.url ?? 'none';
    metrics.request(route, request.method, reply.statusCode, reply.elapsedTime / 1_000);
    logger.info(
      {
        request_id: request.id,
        method: request.method,
        route: request.routeOptions.url ?? null,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        agency_id: request.key?.agencyId,
        key_id: request.key?.keyId,
      },
      'request',
    );
    done();
  });
  closeInOrder(fastify);
  acceptJson(fastify);
  knowMethods(fastify, logger, admission);
  admission.guard(fastify);
  fastify.addHook('onRequest', ({ headers, raw }, _reply, done) => {
    const isMissing = headers.host === undefined && raw.httpVersion === '1.1';
    done(isMissing ? invalidRequest({ field: 'Host', message: 'must be sent' }) : undefined);
  });
  return adapter;
};

/** A path that can not be decoded is taken as it is written: what it names is looked up like any other (D9). */
const decodable = (url: string): string => {
  const [path = ''] = url.split('?', 1);
  if (isDecodable(path)) return url;
  const segments = path.split('/').map((segment) => (isDecodable(segment) ? segment : segment.replaceAll('%', '%25')));
  return segments.join('/') + url.slice(path.length);
};

const isDecodable = (text: string): boolean => {
  if (!text.includes('%')) return true;
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
};

/** A known path with another method is 405 and names those that it has. */
const knowMethods = (fastify: FastifyInstance, logger: Logger, admission: Admission): void => {
  const methods = new Map<string, Set<string>>();
  fastify.addHook('onRoute', ({ url, method }) => {
    const known = methods.get(url) ?? new Set();
    for (const each of [method].flat()) known.add(each);
    methods.set(url, known);
  });
  const matchers = (): { pattern: RegExp; allowed: string }[] =>
    [...methods].map(([url, known]) => ({
      pattern: new RegExp(`^${url.replaceAll(/:[^/]+/g, '[^/]+')}$`),
      allowed: [...known].sort().join(', '),
    }));
  let compiled: ReturnType<typeof matchers> | undefined;
  const refuse = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    compiled ??= matchers();
    const [path = ''] = request.url.split('?');
    const other = compiled.find(({ pattern }) => pattern.test(path));
    if (other !== undefined) reply.header('allow', other.allowed);
    sendError(new DomainError(other === undefined ? 'not_found' : 'method_not_allowed'), request, reply, logger);
  };
  // Before anything is made of a body: what it holds is of no matter where nobody reads it.
  fastify.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done();
    admission
      .count(request, reply)
      .then(() => refuse(request, reply))
      .catch(done);
  });
  fastify.setNotFoundHandler(refuse);
};

/** What is no HTTP reaches no hook, and is answered like everything else (D4). */
const refuseConnection = (socket: Socket): void => {
  if (socket.writable && !socket.destroyed) {
    const requestId = randomUUID();
    const body = JSON.stringify(errorBody(unreadable(), requestId));
    const head = [
      'HTTP/1.1 400 Bad Request',
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      `x-svc-mode: ${MODE}`,
      `x-request-id: ${requestId}`,
      'connection: close',
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  }
  socket.destroySoon();
};
