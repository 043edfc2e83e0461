import type { FastifyInstance } from 'fastify';
import { contractOperations } from '../contract/document.js';
import { addDemoData } from '../demo/demo-data.js';
import { FAULT_KINDS, type FaultRequest } from '../faults/faults.js';
import { invalid } from '../refusal.js';
import type { SandboxCore } from '../sandbox-core.js';
import { EFFECT_KINDS, type Effects, type Settings } from '../state/records.js';
import type { World } from '../state/world.js';
import { COUNT, type Control, control, FLAG, TEXT } from './control.js';
import { findingControls } from './findings.js';
import { memberControls } from './members.js';

export function controlRoutes(app: FastifyInstance, core: SandboxCore): void {
  for (const { method, path, schema, run } of [...memberControls, ...findingControls, ...stateControls]) {
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

const NULLABLE_COUNT = { type: ['integer', 'null'], minimum: 0 };

const SETTINGS = {
  scan_duration_ms: COUNT,
  scan_auto: FLAG,
  leaks_per_handle: COUNT,
  deindex_step_ms: NULLABLE_COUNT,
  email_accepted: FLAG,
  onboard_after_ms: NULLABLE_COUNT,
};

const FAULT = {
  operation: { enum: ['*', ...contractOperations.map(({ id }) => id)] },
  match: { type: 'object', properties: { agency_id: TEXT, user_id: TEXT, reference: TEXT } },
  kind: { enum: FAULT_KINDS },
  status: { type: 'integer', minimum: 200, maximum: 599 },
  code: TEXT,
  delay_ms: COUNT,
  times: { type: ['integer', 'null'], minimum: 1 },
  probability: { type: 'number', minimum: 0, maximum: 1 },
  effect: { enum: ['before', 'after'] },
};

const stateControls: Control[] = [
  control<Partial<Settings>>('PATCH', '/settings', SETTINGS, (world, { body }) => {
    world.settings = { ...world.settings, ...body };
    return world.settings;
  }),

  control<{ demo?: boolean }>('POST', '/reset', { demo: FLAG }, (world, { body }, { faults, calls }) => {
    world.clear();
    faults.clear();
    calls.clear();
    if (body.demo) addDemoData(world);
  }),

  control('GET', '/state', {}, (world) => ({ settings: world.settings, ...world.all() })),

  control<FaultRequest>('POST', '/faults', FAULT, (_, { body }, { faults }) => faults.add(body), ['operation', 'kind']),
  control('GET', '/faults', {}, (_world, _call, { faults }) => ({ data: faults.list() })),
  control('DELETE', '/faults', {}, (_world, _call, { faults }) => faults.clear()),

  control('GET', '/calls', {}, (_world, { query }, { calls }) => {
    const { operation, reference, since = '0' } = query;
    if (!/^\d+$/.test(since)) throw invalid('query: since');
    return { data: calls.find({ operation, reference, since: Number(since) }) };
  }),
  control('DELETE', '/calls', {}, (_world, _call, { calls }) => calls.clear()),

  control('GET', '/effects', {}, countedEffects),
  control('DELETE', '/effects', {}, (world) => {
    for (const { kind, reference } of [...world.effects.values()]) world.effects.remove(`${kind} ${reference}`);
  }),
];

/** How often each reference has had a real effect. Durable, so that a crash of the sandbox loses no evidence. */
function countedEffects(world: World): Effects & { totals: Record<string, number> } {
  const effects = Object.fromEntries(EFFECT_KINDS.map((kind) => [kind, {}])) as Effects;
  const totals: Record<string, number> = Object.fromEntries(EFFECT_KINDS.map((kind) => [kind, 0]));
  for (const { kind, reference, count } of world.effects.values()) {
    effects[kind][reference] = count;
    totals[kind] = (totals[kind] ?? 0) + count;
  }
  return { ...effects, totals };
}
