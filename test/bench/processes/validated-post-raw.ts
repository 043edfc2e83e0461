import { sendToParent, settingsOf } from '../../support/child-process.js';
import { createServerWithoutRoutes } from '../../support/server-without-routes.js';
import type { SandboxReady } from './sandbox.js';
import { openBenchService } from './service.js';

export interface ValidatedPostRawSettings {
  readonly dir: string;
  readonly sandbox: SandboxReady;
  /** Of the body, as the API's own document has it. */
  readonly schema: object;
  readonly answer: object;
}

/** Fastify with the service's own hooks (key, allowance, headers, log, metrics), and Ajv in place of all the rest. */
const { dir, sandbox, schema, answer } = await settingsOf<ValidatedPostRawSettings>();
const service = await openBenchService(dir, 'durable', sandbox);
const fastify = createServerWithoutRoutes(service);
fastify.post('/v1/creators', { schema: { body: schema } }, async () => answer);
sendToParent({ url: await fastify.listen({ port: 0 }) });
