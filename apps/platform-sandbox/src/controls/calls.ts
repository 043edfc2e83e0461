import type { CallFilter } from '../calls/call-log.js';
import { countedEffects, forgetEffects } from '../calls/effects.js';
import { invalid } from '../refusal.js';
import { control, NO_MEMBERS } from './control.js';

export const callControls = [
  control('GET', '/calls', NO_MEMBERS, ({ calls }, { query }) => ({ data: calls.find(filterOf(query)) })),
  control('DELETE', '/calls', NO_MEMBERS, ({ calls }) => calls.clear()),
  control('GET', '/effects', NO_MEMBERS, ({ world }) => countedEffects(world)),
  control('DELETE', '/effects', NO_MEMBERS, ({ world }) => forgetEffects(world)),
];

function filterOf({ operation, reference, since }: Readonly<Record<string, string>>): CallFilter {
  if (since !== undefined && !/^\d+$/.test(since)) throw invalid('query: since');
  return { operation, reference, since: since === undefined ? undefined : Number(since) };
}
