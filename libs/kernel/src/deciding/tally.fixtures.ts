import { derivedId } from '../ids.js';
import type { CommandContext } from './command-context.js';
import { ConsistencyToken } from './command-context.js';
import type { Decider } from './decider.js';

/** The subject of the kernel's tests: a sum, and when it last changed. */
export interface Tally {
  readonly total: number;
  readonly changedAt: number | null;
}

export interface Added {
  readonly type: 'tally.added.v1';
  readonly data: { readonly by: number };
}

export const tallyDecider: Decider<Tally, Added> = {
  category: 'tally',
  initial: { total: 0, changedAt: null },
  evolve: ({ total }, { data }, at) => ({ total: total + data.by, changedAt: at }),
};

export const added = (by: number): Added => ({ type: 'tally.added.v1', data: { by } });

export const workspaceId = derivedId('workspace', 'ag_lumen');

export const contextOf = (correlationId = 'req_1'): CommandContext => ({
  actor: 'key:key_1',
  correlationId,
  causationId: null,
  workspaceId,
  consistencyToken: new ConsistencyToken(),
});
