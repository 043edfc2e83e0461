import type { FastifyInstance } from 'fastify';
import { problemWith } from '../contract/schemas.js';
import { invalid } from '../refusal.js';
import type { SandboxCore } from '../sandbox-core.js';
import { agencyControls } from './agencies.js';
import { callControls } from './calls.js';
import type { Control } from './control.js';
import { creatorControls } from './creators.js';
import { deindexControls } from './deindex-submissions.js';
import { faultControls } from './faults.js';
import { impersonationControls } from './impersonations.js';
import { invitationControls } from './invitations.js';
import { leakControls } from './leaks.js';
import { peopleControls } from './people.js';
import { jobControls } from './scan-jobs.js';
import { stateControls } from './state.js';

const controls: readonly Control[] = [
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

const checked = controls.map((control) => ({
  control,
  problem: problemWith({
    type: 'object',
    additionalProperties: false,
    properties: control.members,
    required: control.required ?? [],
  }),
}));

export function controlRoutes(app: FastifyInstance, core: SandboxCore): void {
  for (const { control, problem } of checked) {
    app.route({
      method: control.method,
      url: `/_sandbox${control.path}`,
      handler: async (request, reply) => {
        const body = typeof request.body === 'string' && request.body !== '' ? parsed(request.body) : {};
        const wrong = problem(body);
        if (wrong) throw invalid(wrong);
        const call = {
          id: (request.params as { id?: string }).id ?? '',
          query: request.query as Record<string, string>,
          body,
        };
        return reply.send(core.apply(() => control.run(core, call)) ?? {});
      },
    });
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid('body: not JSON');
  }
}
