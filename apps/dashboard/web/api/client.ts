import { useSyncExternalStore } from 'react';

/** A value that several components show and code outside of React sets. */
export class Signal<Value> {
  readonly #listeners = new Set<() => void>();
  #value: Value;

  constructor(initial: Value) {
    this.#value = initial;
  }

  get(): Value {
    return this.#value;
  }

  set(value: Value): void {
    if (value === this.#value) return;
    this.#value = value;
    for (const listener of this.#listeners) listener();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
}

export const useSignal = <Value>(signal: Signal<Value>): Value =>
  useSyncExternalStore(signal.subscribe, () => signal.get());

interface ErrorDetail {
  readonly field?: string;
  readonly message: string;
}

/** A refusal of the server. Its log has the request under the id. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly requestId: string | null,
    readonly details: readonly ErrorDetail[] = [],
  ) {
    super(message);
  }
}

/** No answer, or none from the service, which may be restarting. */
export class Unreachable extends Error {
  constructor(cause?: unknown) {
    super('The service cannot be reached. This page tries again every 2 seconds.', { cause });
  }
}

export const isSessionEnd = (error: unknown): boolean => error instanceof ApiError && error.code === 'session_required';

const BASE = '/dashboard';

/** Whether the last call was answered by the service. */
export const isReachable = new Signal(true);
export const hasSessionEnded = new Signal(false);

let csrfToken = '';
export const keepCsrfToken = (token: string): void => {
  csrfToken = token;
};

export interface Call {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly body?: object;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal;
}

interface ErrorBody {
  readonly error?: { readonly code: string; readonly message: string; readonly details?: readonly ErrorDetail[] };
  readonly request_id?: string;
}

/** Adds the agency of the page's address, which every link keeps. */
export const addressOf = (path: string, query: Call['query'] = {}): string => {
  const agency = new URLSearchParams(window.location.search).get('agency') ?? undefined;
  const given = Object.entries({ agency, ...query }).filter((entry): entry is [string, string] => Boolean(entry[1]));
  const parameters = new URLSearchParams(given).toString();
  return parameters === '' ? `${BASE}${path}` : `${BASE}${path}?${parameters}`;
};

const send = async (path: string, { method = 'GET', body, query, signal }: Call): Promise<Response> => {
  const headers = {
    Accept: 'application/json',
    ...(method !== 'GET' && { 'X-CSRF-Token': csrfToken }),
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
  };
  // A route without a body refuses even an empty object.
  const content = body === undefined ? {} : { body: JSON.stringify(body) };
  try {
    return await fetch(addressOf(path, query), { method, headers, signal: signal ?? null, ...content });
  } catch (error) {
    if (signal?.aborted) throw error;
    isReachable.set(false);
    throw new Unreachable(error);
  }
};

/** A proxy in front of a service that is down may not answer in JSON. */
const jsonOf = async (response: Response): Promise<unknown> => {
  try {
    return await response.json();
  } catch (error) {
    isReachable.set(false);
    throw new Unreachable(error);
  }
};

const refusalOf = (status: number, { error, request_id: requestId }: ErrorBody): ApiError =>
  new ApiError(
    status,
    error?.code ?? 'unknown',
    error?.message ?? `The service answered ${status}.`,
    requestId ?? null,
    error?.details,
  );

/** Calls the server at a path below `/dashboard`. The answer is not checked against its type. */
export async function call<Answer>(path: string, options: Call = {}): Promise<Answer> {
  const response = await send(path, options);
  const answer = await jsonOf(response);
  isReachable.set(true);
  if (response.ok) return answer as Answer;
  const refusal = refusalOf(response.status, answer as ErrorBody);
  if (isSessionEnd(refusal)) hasSessionEnded.set(true);
  throw refusal;
}

export const post = <Answer>(path: string, body?: object): Promise<Answer> =>
  call(path, { method: 'POST', ...(body && { body }) });
