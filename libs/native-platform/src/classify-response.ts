import { z } from 'zod';
import { NOT_OFFERED } from '#agencies';
import type { Answer, Call } from './call.js';
import { invalidResponse, transientFailure } from './provider-error.js';
import { ContractViolation, errorCode, fence, read, text } from './schemas.js';

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

/** The statuses of a service that lacks an optional route. */
export const NO_ROUTE: readonly number[] = [404, 405, 501];

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The parsed body. V8's error message quotes a broken body, so it is not kept. */
const jsonOf = ({ body }: Answer): unknown => {
  try {
    return JSON.parse(utf8.decode(body));
  } catch {
    throw new ContractViolation('the body is not JSON');
  }
};

export interface PlatformError {
  readonly code: string;
  /** With `stale_fence`, if the platform names it: the highest that it has seen. */
  readonly fence?: number;
}

const envelope = z.object({ error: z.object({ code: errorCode, message: text, fence: z.unknown().optional() }) });
/** The contract leaves it to the platform whether it names the fence. */
const seenFence = fence.optional();

/** The contract's error envelope, or undefined if the body is none. */
export const errorOf = (answer: Answer): PlatformError | undefined => {
  try {
    const { code, fence: seen } = read(envelope, jsonOf(answer)).error;
    const highest = code === 'stale_fence' ? read(seenFence, seen) : undefined;
    return highest === undefined ? { code } : { code, fence: highest };
  } catch (error) {
    if (error instanceof ContractViolation) return undefined;
    throw error;
  }
};

/** The same request may succeed later: 429, 5xx, and 408 or 425 of a proxy on a slow connection. */
const isTransientStatus = (status: number): boolean =>
  status === 408 || status === 425 || status === 429 || (status >= 500 && status < 600);

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
