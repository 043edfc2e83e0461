import type { Fault } from './platform.js';

/** Faults of the platform after which nobody knows whether a call had its effect. */
export const UNKNOWN_OUTCOMES = [
  ['the connection breaks before it', { kind: 'close_before' }],
  ['the connection breaks after it', { kind: 'close_after' }],
  ['no answer, and an effect', { kind: 'hang', effect: 'after' }],
] as const satisfies readonly (readonly [string, Omit<Fault, 'operation'>])[];
