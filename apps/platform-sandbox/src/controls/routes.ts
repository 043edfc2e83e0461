import type { FastifyInstance } from 'fastify';
import type { SandboxCore } from '../sandbox-core.js';
import { agencyControls } from './agencies.js';
import { callControls } from './calls.js';
import { creatorControls } from './creators.js';
import { deindexControls } from './deindex-submissions.js';
import { faultControls } from './faults.js';
import { impersonationControls } from './impersonations.js';
import { invitationControls } from './invitations.js';
import { leakControls } from './leaks.js';
import { peopleControls } from './people.js';
import { jobControls } from './scan-jobs.js';
import { stateControls } from './state.js';

const controls = [
  ...agencyControls,
  ...creatorControls,
  ...invitationControls,
  ...leakControls,
  ...impersonationControls,
  ...jobControls,
  ...deindexControls,
  ...faultControls,
  ...callControls,
  ...peopleControls,
  ...stateControls,
];

export function controlRoutes(app: FastifyInstance, core: SandboxCore): void {
  for (const { method, path, schema, run } of controls) {
    app.route<{ Params: { id?: string }; Querystring: Record<string, string> }>({
      method,
      url: `/_sandbox${path}`,
      ...(method !== 'GET' && { schema: { body: schema } }),
      preValidation: async (request) => {
        request.body ??= {};
      },
      handler: async ({ params: { id = '' }, query, body }, reply) =>
        reply.send(core.apply(() => run(core, { id, query, body })) ?? {}),
    });
  }
}
