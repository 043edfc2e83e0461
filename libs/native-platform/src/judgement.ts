import { type Answer, errorCodeOf, isPassingFault, jsonOf } from './answer.js';
import type { Call } from './call.js';
import { Mismatch } from './fields.js';
import { invalidResponse, passingFault } from './provider-error.js';

export type Read<Value> = Pick<Call, 'operation' | 'path' | 'query' | 'maxBytes'> & {
  /** Throws `Mismatch` where the body is not what was asked for. */
  readonly parse: (body: unknown) => Value;
};

export type Change = Call & {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The statuses that say that it was done. */
  readonly done: readonly number[];
  /** The only statuses that say that nothing happened; any 4xx where it is left out. */
  readonly refused?: readonly number[];
};

/** The answer, unless it is a passing fault. */
export const usable = ({ operation }: Call, answer: Answer): Answer => {
  if (isPassingFault(answer.status)) throw passingFault(operation, answer);
  return answer;
};

export const isAbsence = (answer: Answer): boolean => answer.status === 404 && errorCodeOf(answer) === 'not_found';

/** Without the contract's envelope nobody knows who answered, nor that nothing happened. */
export const refusalOf = ({ refused }: Change, answer: Answer): string | undefined => {
  const refuses = refused?.includes(answer.status) ?? (answer.status >= 400 && answer.status < 500);
  return refuses ? errorCodeOf(answer) : undefined;
};

/** Rejects any status but these. */
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
