import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '#configuration';
import { type AccessedRequest, acceptJson, namesHtml, publicAddress, publicPath, sendError } from '#http';
import { DomainError, type Duration, invalidRequest, type Logger, SECOND } from '#kernel';
import type { Metrics } from '#observability';
import { type ApiKeyGate, guard } from './access/api-key-gate.js';
import { BrokenRequests, MAX_HEADER_BYTES, MAX_PARSED_BYTES, refusalOfLength } from './broken-requests.js';
import { CONNECTION_LIMITS, type ConnectionLimits, Connections } from './connections.js';
import { setHeaders, setHeadersOfEveryAnswer } from './response-headers.js';

/** How often connections without a request in progress are closed, in milliseconds. */
const POLL_INTERVAL = 20;
/** How long requests in progress may take, in milliseconds, before their connections are closed. */
const CLOSE_TIMEOUT = 7_000;

/** Makes each answer the last of its connection. Node closes only connections that are idle at that moment. */
const closeInOrder = (fastify: FastifyInstance): void => {
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

/** The longest request target, because a malformed id of any length is answered with 404 (D9). */
const MAX_ID_LENGTH = MAX_HEADER_BYTES;
/** The longest part of an unknown path that an answer repeats. */
const MAX_SHOWN_PATH = 200;
/** D99: how much longer a kept connection lives than its answers announce: a client that trusts them loses nothing. */
const KEEP_ALIVE_RESERVE: Duration = SECOND;

type Site = Pick<Config, 'apiUrl' | 'dashboard'>;

/** Leaves unknown routes to the not-found handler, which knows the methods of each path. */
class Transport extends FastifyAdapter {
  override setNotFoundHandler(): FastifyInstance {
    return this.getInstance<FastifyInstance>();
  }
}

/** The HTTP server, and the headers of every response, also of those that Node or Fastify make (D4). */
export const createTransport = (
  logger: Logger,
  metrics: Metrics,
  gate: () => ApiKeyGate,
  site: Site,
  limits: ConnectionLimits = CONNECTION_LIMITS,
): FastifyAdapter => {
  const { requestTimeout, idleTimeout, checkInterval } = limits;
  const adapter = new Transport({
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    // A request that arrives while the server closes is answered like any other, not by the framework (D4).
    return503OnClosing: false,
    exposeHeadRoutes: true,
    rewriteUrl: ({ url = '/' }) => decodable(url),
    routerOptions: { maxParamLength: MAX_ID_LENGTH },
    requestTimeout,
    keepAliveTimeout: idleTimeout - KEEP_ALIVE_RESERVE,
    http: {
      // Node's refusal of a request without it has another form.
      requireHostHeader: false,
      headersTimeout: requestTimeout,
      connectionsCheckingInterval: checkInterval,
      keepAliveTimeoutBuffer: KEEP_ALIVE_RESERVE,
      maxHeaderSize: MAX_PARSED_BYTES,
    },
    frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) => {
      setHeaders(request, reply);
      const send = (refusal: unknown) => sendError(refusal, request, reply, logger);
      gate()
        .count(request, reply)
        .then(() => send(error), send);
    },
    clientErrorHandler: (error: Error, socket: Socket) => broken.refuse(error, socket),
  });
  const fastify = adapter.getInstance<FastifyInstance>();
  const broken = new BrokenRequests(new Connections(fastify.server, limits), logger, metrics);
  broken.watch(fastify);
  fastify.server.on('connect', (_request, socket: Socket) => broken.refuseTunnel(socket));
  setHeadersOfEveryAnswer(fastify);
  // An unknown expectation may be ignored; Node would refuse it without a body.
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
        agency_id: request.key?.agencyId ?? request.currentUser?.agencyId,
        key_id: request.key?.keyId,
        actor: request.currentUser?.context.actor,
      },
      'request',
    );
    done();
  });
  closeInOrder(fastify);
  acceptJson(fastify, (request) => gate().checkHeaders(request));
  refuseLongRequests(fastify, gate);
  redirectRoot(fastify, site, gate);
  prefixLocations(fastify, publicPath(site.apiUrl));
  answerMethodNotAllowed(fastify, logger, gate);
  guard(fastify, gate);
  fastify.addHook('onRequest', ({ raw }, _reply, done) => done(hostRefusal(raw)));
  return adapter;
};

/** HTTP/1.1 needs exactly one. If there are two, a proxy may have read the other one. */
const hostRefusal = ({ httpVersion, rawHeaders }: IncomingMessage): DomainError | undefined => {
  const count = rawHeaders.filter((text, at) => at % 2 === 0 && text.toLowerCase() === 'host').length;
  if (count > 1) return invalidRequest({ field: 'Host', message: 'must be sent only once' });
  const isMissing = count === 0 && httpVersion === '1.1';
  return isMissing ? invalidRequest({ field: 'Host', message: 'must be sent' }) : undefined;
};

/** D99. Such a request counts like any other (D10). */
const refuseLongRequests = (fastify: FastifyInstance, gate: () => ApiKeyGate): void => {
  fastify.addHook('onRequest', (request, reply, done) => {
    const refusal = refusalOfLength(request.originalUrl, request.raw.rawHeaders);
    if (refusal === undefined) return done();
    gate()
      .count(request, reply)
      .then(() => done(refusal), done);
  });
};

/** A path that cannot be decoded is used as it is written, and looked up like any other (D9). */
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

/** D116: redirects a browser that opens the bare address, and answers programs with the addresses of the pages. */
const redirectRoot = (fastify: FastifyInstance, { apiUrl, dashboard }: Site, gate: () => ApiKeyGate): void => {
  const home = dashboard?.url ?? `${publicPath(apiUrl)}/docs`;
  fastify.addHook('onRequest', (request, reply, done) => {
    const [path] = request.url.split('?', 1);
    if (path !== '/' || (request.method !== 'GET' && request.method !== 'HEAD')) return done();
    if (namesHtml(request.headers)) return reply.redirect(home, 302);
    const api = publicAddress(apiUrl, fastify.server);
    const pages = { docs: `${api}/docs`, openapi: `${api}/openapi.json`, dashboard: dashboard?.url ?? null };
    gate()
      .count(request, reply)
      .then(() => reply.send({ ...pages, simulated: false }), done);
  });
};

/** D114: a path of the API, as clients see it behind a proxy. */
const prefixLocations = (fastify: FastifyInstance, prefix: string): void => {
  if (prefix === '') return;
  fastify.addHook('onSend', (_request, reply, _payload, done) => {
    const location = reply.getHeader('location');
    if (typeof location === 'string' && location.startsWith('/v1/')) reply.header('location', prefix + location);
    done();
  });
};

/** D116: not reported as a missing resource. The path may be long. */
const noSuchRoute = ({ method, originalUrl }: FastifyRequest): DomainError => {
  const [path = ''] = originalUrl.split('?', 1);
  // D99: HEAD is answered like GET.
  const shown = method === 'HEAD' ? 'GET' : method;
  return new DomainError('not_found', { says: `There is no such route: ${shown} ${path.slice(0, MAX_SHOWN_PATH)}` });
};

const answerMethodNotAllowed = (fastify: FastifyInstance, logger: Logger, gate: () => ApiKeyGate): void => {
  const methods = new Map<string, Set<string>>();
  fastify.addHook('onRoute', ({ url, method }) => {
    // Such a route is a folder: anything it does not contain is unknown with every method.
    if (url.endsWith('*')) return;
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
    const refusal = other === undefined ? noSuchRoute(request) : new DomainError('method_not_allowed');
    sendError(refusal, request, reply, logger);
  };
  // Before the body is parsed, because nobody reads its content.
  fastify.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done();
    gate()
      .count(request, reply)
      .then(() => refuse(request, reply))
      .catch(done);
  });
  fastify.setNotFoundHandler(refuse);
};
