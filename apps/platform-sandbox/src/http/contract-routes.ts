import type { FastifyInstance } from 'fastify';
import { contractOperations } from '../contract/document.js';
import { requestRules } from '../contract/request-rules.js';
import { operations } from '../operations.js';
import type { SandboxCore } from '../sandbox-core.js';
import { type ServedOperation, serve } from './serve.js';

const served: readonly ServedOperation[] = contractOperations.map((operation) => {
  const run = operations[operation.id];
  if (!run) throw new Error(`the sandbox does not implement ${operation.id}`);
  return { operation, rules: requestRules(operation), run };
});

/** One route for each operation of the contract; the contract itself is the route table. */
export function contractRoutes(app: FastifyInstance, core: SandboxCore): void {
  for (const one of served) {
    app.route({
      method: one.operation.method,
      url: one.operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      config: { operationId: one.operation.id },
      handler: (request, reply) => {
        if (!request.logged) throw new Error('the call was not logged');
        return serve(core, one, request.logged, request, reply);
      },
    });
  }
}
