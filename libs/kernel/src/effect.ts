import type { DomainError } from './errors.js';

/**
 * What became of a call that changes something outside: it was done; it was refused and changed nothing; or nobody
 * knows, and it is to be settled by looking, or by the same call again.
 */
export type Effect<Value> =
  | { readonly outcome: 'done'; readonly value: Value }
  | { readonly outcome: 'refused'; readonly code: string }
  | { readonly outcome: 'unknown'; readonly error: DomainError };
