import { hash, timingSafeEqual } from 'node:crypto';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { LoggedCall } from '../calls/call-log.js';
import type { Schema } from '../contract/document.js';
import { validatorOf } from '../contract/schemas.js';
import { controlRoutes } from '../controls/routes.js';
import { identityRoutes } from '../identity/provider.js';
import { envelope, invalid, Refusal } from '../operation.js';
import { billingPages } from '../platform/billing.js';
import type { SandboxCore } from '../sandbox-core.js';
import { contractRoutes } from './contract-routes.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    operationId?: string;
    /** Needs no token, because a browser requests it. */
    isOpen?: boolean;
  }
  interface FastifyRequest {
    logged: LoggedCall | undefined;
  }
}

/** Bulk controls may contain explicit lists. */
const BODY_LIMIT = 32 * 1024 * 1024;

export function buildServer(core: SandboxCore, token: string): FastifyInstance {
  const app = fastify({
    bodyLimit: BODY_LIMIT,
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 400 },
  });
  const digest = sha256(`Bearer ${token}`);

  app.setValidatorCompiler<Schema>(validatorOf);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, async (request: FastifyRequest, text: string) => {
    if (text === '') return undefined;
    // A repeated key is compared by the bytes.
    if (request.logged) request.logged.body_hash = hash('sha256', text);
    return parsed(text);
  });
  app.decorateRequest('logged', undefined);
  app.addHook('onRequest', async (request, reply) => {
    logArrival(core, request, reply);
    if (request.routeOptions.config.isOpen) return;
    if (!timingSafeEqual(digest, sha256(request.headers.authorization ?? ''))) {
      throw new Refusal(401, 'unauthorized', 'The bearer token is missing or wrong.');
    }
  });
  app.setNotFoundHandler((_request, reply) => reply.code(404).send(envelope('not_found', 'No such route.')));
  app.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
    const { status, code, message, details } = asRefusal(error);
    if (request.logged) core.calls.finish(request.logged, status);
    return reply.code(status).send(envelope(code, message, details));
  });
  contractRoutes(app, core);
  controlRoutes(app, core);
  billingPages(app, core);
  identityRoutes(app, core);
  receivers(app, core);
  return app;
}

/** They stand in for an agency's own server, to which webhooks are sent. */
function receivers(app: FastifyInstance, { world }: SandboxCore): void {
  app.post<{ Params: { name: string } }>('/receivers/:name', { config: { isOpen: true } }, ({ params }, reply) =>
    reply.code(world.settings.failing_receivers.includes(params.name) ? 503 : 204).send(),
  );
}

function logArrival(core: SandboxCore, request: FastifyRequest, reply: FastifyReply): void {
  const operation = request.routeOptions.config.operationId;
  if (operation === undefined) return;
  const key = request.headers['idempotency-key'];
  const logged = core.calls.start({
    operation,
    method: request.method,
    path: request.url,
    idempotency_key: typeof key === 'string' ? key : null,
  });
  request.logged = logged;
  reply.raw.once('close', () => core.calls.finish(logged, 'closed'));
}

function asRefusal(error: Error & { statusCode?: number }): Refusal {
  if (error instanceof Refusal) return error;
  if (error.statusCode === 415) return new Refusal(415, 'unsupported_media_type', 'JSON is expected.');
  if (error.statusCode === 413) return new Refusal(413, 'payload_too_large', 'The body is too large.');
  if (error.statusCode !== undefined && error.statusCode < 500)
    return new Refusal(400, 'invalid_request', error.message);
  return new Refusal(500, 'internal_error', error.stack ?? error.message);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid('body: not JSON');
  }
}

function sha256(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
