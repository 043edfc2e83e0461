import { type Answer, errorOf, isTransientStatus, jsonOf, type PlatformError } from './answer.js';
import type { Call } from './call.js';
import { Mismatch } from './fields.js';
import { invalidResponse, transientFailure } from './provider-error.js';

export type Read<Value> = Pick<Call, 'operation' | 'path' | 'query' | 'maxBytes' | 'weight'> & {
  /** A service may lack the route: then any 404 means that there is no such record. */
  readonly isOptional?: true;
  /** Throws `Mismatch` if the body is not the requested record. */
  readonly parse: (body: unknown) => Value;
};

export type Change = Call & {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly done: readonly number[];
  /** The statuses that mean that nothing happened; any 4xx by default. */
  readonly refused?: readonly number[];
};

/** Returns the answer; throws `provider_unavailable` for a transient status. */
export const usable = ({ operation }: Call, answer: Answer): Answer => {
  if (isTransientStatus(answer.status)) throw transientFailure(operation, answer);
  return answer;
};

export const isAbsence = ({ isOptional }: Pick<Read<unknown>, 'isOptional'>, answer: Answer): boolean =>
  answer.status === 404 && (isOptional === true || errorOf(answer)?.code === 'not_found');

/** A status without the contract's error envelope is no refusal: a proxy may have answered, and the call may have had an effect. */
export const refusalOf = ({ refused }: Change, answer: Answer): PlatformError | undefined => {
  const refuses = refused?.includes(answer.status) ?? (answer.status >= 400 && answer.status < 500);
  return refuses ? errorOf(answer) : undefined;
};

/** Throws on any other status. */
export const expectStatus = (operation: string, { status }: Answer, statuses: readonly number[]): void => {
  if (!statuses.includes(status)) throw invalidResponse(operation, `HTTP ${status}`);
};

export const parsed = <Value>(operation: string, answer: Answer, parse: (body: unknown) => Value): Value => {
  try {
    return parse(jsonOf(answer));
  } catch (error) {
    if (error instanceof Mismatch) throw invalidResponse(operation, error.message);
    throw error;
  }
};
