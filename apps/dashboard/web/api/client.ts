import { ApiError, type ErrorDetail, isSessionEnd, Unreachable } from './errors.js';
import { Signal } from './signal.js';

const BASE = '/dashboard';

/** Whether the last call was answered by the service. */
export const isReachable = new Signal(true);
/** Whether the session ended while the page was open. */
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

/** The chosen agency is part of each link, so it is in the address of the page. */
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
  // A route without a body refuses one, an empty object too.
  const content = body === undefined ? {} : { body: JSON.stringify(body) };
  try {
    return await fetch(addressOf(path, query), { method, headers, signal: signal ?? null, ...content });
  } catch (error) {
    if (signal?.aborted) throw error;
    isReachable.set(false);
    throw new Unreachable(error);
  }
};

/** A proxy in front of a service that is down answers in its own words. */
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

/** Calls the server at a path below `/dashboard`; what it answers has the shape that its OpenAPI document describes. */
export async function call<Answer>(path: string, options: Call = {}): Promise<Answer> {
  const response = await send(path, options);
  const answer = await jsonOf(response);
  isReachable.set(true);
  if (response.ok) return answer as Answer;
  const refusal = refusalOf(response.status, answer as ErrorBody);
  if (isSessionEnd(refusal)) hasSessionEnded.set(true);
  throw refusal;
}
