import type { FastifyInstance } from 'fastify';
import { Admission } from '../../apps/api/src/http/admission.js';
import { createTransport } from '../../apps/api/src/http/transport.js';
import type { OpenService } from './open-service.js';

/** Fastify with the service's own hooks (key, allowance, headers, log, metrics) and none of its routes. */
export const createServerWithoutRoutes = ({ services, logger }: OpenService): FastifyInstance =>
  createTransport(logger, services.metrics, () =>
    services.app.get(Admission, { strict: false }),
  ).getInstance<FastifyInstance>();
