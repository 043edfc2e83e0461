import type { Fault } from './platform.js';

/** What the platform does so that nobody knows whether a call had its effect. */
export const UNKNOWN_OUTCOMES = [
  ['the connection breaks before it', { kind: 'close_before' }],
  ['the connection breaks after it', { kind: 'close_after' }],
  ['503 before it', { kind: 'status', status: 503, effect: 'before' }],
  ['500 after it', { kind: 'status', status: 500, effect: 'after' }],
  ['429', { kind: 'status', status: 429, effect: 'before' }],
  ['half an answer', { kind: 'broken_json' }],
  ['another answer', { kind: 'wrong_shape' }],
  ['no answer, and no effect', { kind: 'hang', effect: 'before' }],
  ['no answer, and an effect', { kind: 'hang', effect: 'after' }],
] as const satisfies readonly (readonly [string, Omit<Fault, 'operation'>])[];
