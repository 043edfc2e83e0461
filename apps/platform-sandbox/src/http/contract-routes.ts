import type { FastifyInstance } from 'fastify';
import { contractOperations } from '../contract/document.js';
import { requestSchema } from '../contract/request-schema.js';
import { operations } from '../operations.js';
import type { SandboxCore } from '../sandbox-core.js';
import { serve } from './serve.js';

const served = contractOperations.map((operation) => {
  const run = operations[operation.id];
  if (!run) throw new Error(`the sandbox does not implement ${operation.id}`);
  return { operation, run, schema: requestSchema(operation) };
});

/** One route for each operation of the contract; the contract itself is the route table. */
export function contractRoutes(app: FastifyInstance, core: SandboxCore): void {
  for (const { operation, run, schema } of served) {
    app.route({
      method: operation.method,
      url: operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      schema,
      config: { operationId: operation.id },
      handler: (request, reply) => {
        if (!request.logged) throw new Error('the call was not logged');
        return serve(core, { operation, run }, request.logged, request, reply);
      },
    });
  }
}
