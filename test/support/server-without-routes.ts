import type { FastifyInstance } from 'fastify';
import { ApiKeyGate } from '../../apps/api/src/http/api-key-gate.js';
import { createTransport } from '../../apps/api/src/http/transport.js';
import type { OpenService } from './open-service.js';

/** Fastify with the service's own hooks (key, allowance, headers, log, metrics) and none of its routes. */
export const createServerWithoutRoutes = ({ services, logger }: OpenService): FastifyInstance =>
  createTransport(logger, services.metrics, () =>
    services.app.get(ApiKeyGate, { strict: false }),
  ).getInstance<FastifyInstance>();
