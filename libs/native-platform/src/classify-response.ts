import { NOT_OFFERED } from '#agencies';
import { type Answer, errorOf, isTransientStatus, jsonOf, type PlatformError } from './answer.js';
import type { Call } from './call.js';
import { ContractViolation } from './fields.js';
import { invalidResponse, transientFailure } from './provider-error.js';

export type Read<Value> = Pick<Call, 'operation' | 'path' | 'query' | 'maxBytes' | 'weight'> & {
  /** The statuses that mean that the service lacks the route, where it may: then there is no such record. */
  readonly lacking?: readonly number[];
  /** Throws `ContractViolation` if the body is not the requested record. */
  readonly parse: (body: unknown) => Value;
};

export type Change = Call & {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly done: readonly number[];
  /** The statuses that mean that nothing happened; any 4xx by default. */
  readonly refused?: readonly number[];
  /** The statuses that mean that the service lacks the route, where it may: refused with `not_offered`. */
  readonly lacking?: readonly number[];
};

/** What a service answers where it lacks a route that the contract leaves to it. */
export const NO_ROUTE: readonly number[] = [404, 405, 501];

/** Returns the answer; throws `provider_unavailable` for a transient status. */
export const usable = ({ operation, lacking }: Call & Lacking, answer: Answer): Answer => {
  if (isTransientStatus(answer.status) && !isLacking({ lacking }, answer)) throw transientFailure(operation, answer);
  return answer;
};

type Lacking = { readonly lacking?: readonly number[] | undefined };

const isLacking = ({ lacking = [] }: Lacking, { status }: Answer): boolean => lacking.includes(status);

export const isAbsence = (read: Lacking, answer: Answer): boolean =>
  isLacking(read, answer) || (answer.status === 404 && errorOf(answer)?.code === 'not_found');

/** A status without the contract's error envelope is no refusal: a proxy may have answered, and the call may have had an effect. */
export const refusalOf = (change: Change, answer: Answer): PlatformError | undefined => {
  const { refused } = change;
  if (isLacking(change, answer)) return { code: NOT_OFFERED };
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
    if (error instanceof ContractViolation) throw invalidResponse(operation, error.message);
    throw error;
  }
};
