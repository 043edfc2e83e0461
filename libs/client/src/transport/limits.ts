import type { CallOptions } from '../options.js';

const DEFAULTS = { timeout: 30_000, deadline: 120_000, maxRetries: Number.POSITIVE_INFINITY };

export interface Limits {
  readonly timeout: number;
  readonly deadline: number;
  readonly maxRetries: number;
}

/** Those of the call, or else of the client. */
export const limitsOf = (client: CallOptions, call: CallOptions = {}): Limits => {
  const limit = (name: keyof Limits) => notNegative(name, call[name] ?? client[name] ?? DEFAULTS[name]);
  return { timeout: limit('timeout'), deadline: limit('deadline'), maxRetries: limit('maxRetries') };
};

/** With a text or NaN, such as of a missing environment variable, a wait would have no end. */
export const notNegative = (name: string, value: number): number => {
  if (typeof value !== 'number' || !(value >= 0)) throw new TypeError(`${name} must be a number from 0 on`);
  return value;
};
