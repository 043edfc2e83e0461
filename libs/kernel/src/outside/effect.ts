import type { DomainError } from '../errors.js';

/**
 * The outcome of a call that changes something in an outside system: done; refused, with no change; or unknown, to be
 * settled by a lookup or by the same call again.
 */
export type Effect<Value> =
  | { readonly outcome: 'done'; readonly value: Value }
  | { readonly outcome: 'refused'; readonly code: string }
  | { readonly outcome: 'unknown'; readonly error: DomainError };
