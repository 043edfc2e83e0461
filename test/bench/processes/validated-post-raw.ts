import type { FastifyInstance } from 'fastify';
import { Admission } from '../../../apps/api/src/http/admission.js';
import { createTransport } from '../../../apps/api/src/http/transport.js';
import type { SandboxReady } from './sandbox.js';
import { createBenchServices } from './service.js';
import { settingsOf, tell } from './start-process.js';

export interface ValidatedPostRawSettings {
  readonly dir: string;
  readonly sandbox: SandboxReady;
  /** Of the body, as the API's own document has it. */
  readonly schema: object;
  readonly answer: object;
}

/** Fastify with the service's own hooks (key, allowance, headers, log, metrics), and Ajv in place of all the rest. */
const { dir, sandbox, schema, answer } = await settingsOf<ValidatedPostRawSettings>();
const { services, logger } = await createBenchServices(dir, 'durable', sandbox);
const fastify = createTransport(logger, services.metrics, new Admission(services)).getInstance<FastifyInstance>();
fastify.post('/v1/creators', { schema: { body: schema } }, async () => answer);
tell({ url: await fastify.listen({ port: 0 }) });
