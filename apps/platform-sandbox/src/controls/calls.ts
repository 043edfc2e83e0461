import type { CallFilter } from '../calls/call-log.js';
import { countedEffects, forgetEffects } from '../calls/effects.js';
import { invalid } from '../refusal.js';
import type { Control } from './control.js';

export const callControls: readonly Control[] = [
  {
    method: 'GET',
    path: '/calls',
    members: {},
    run: (core, call) => ({ data: core.calls.find(filterOf(call.query)) }),
  },
  {
    method: 'DELETE',
    path: '/calls',
    members: {},
    run: (core) => core.calls.clear(),
  },
  {
    method: 'GET',
    path: '/effects',
    members: {},
    run: (core) => countedEffects(core.world),
  },
  {
    method: 'DELETE',
    path: '/effects',
    members: {},
    run: (core) => forgetEffects(core.world),
  },
];

function filterOf({ operation, reference, since }: Readonly<Record<string, string>>): CallFilter {
  const filter: CallFilter = {};
  if (operation !== undefined) filter.operation = operation;
  if (reference !== undefined) filter.reference = reference;
  if (since === undefined) return filter;
  if (!/^\d+$/.test(since)) throw invalid('query: since');
  return { ...filter, since: Number(since) };
}
