import type { CreatorProtectionError } from './errors.js';

export interface ClientOptions {
  /** Where the service is, such as `https://protection.example.com`. */
  readonly baseUrl: string | URL;
  /** `svc_live_…`; it is sent to `baseUrl` only, and is in no error. */
  readonly apiKey: string;
  /** Milliseconds for one try, until its answer has arrived in full; default: 30,000. */
  readonly timeout?: number | undefined;
  /** Milliseconds for a call with all its tries and the waits between them; default: 120,000. */
  readonly deadline?: number | undefined;
  /** How often a call is repeated at most; without it, until its deadline. */
  readonly maxRetries?: number | undefined;
  /** In place of the global `fetch`. */
  readonly fetch?: FetchLike | undefined;
  /** Is called before each wait for a repeat, for logs and metrics. */
  readonly onRetry?: ((retry: Retry) => void) | undefined;
}

/** The part of `fetch` that the client uses, so that those of undici and node-fetch, and wrappers, fit. */
export type FetchLike = (
  url: string,
  init: {
    method: string;
    headers: Record<string, string>;
    body: string | null;
    signal: AbortSignal;
    redirect: 'manual';
  },
) => Promise<Pick<Response, 'ok' | 'status' | 'statusText'> & { headers: FetchedHeaders; body: unknown }>;

interface FetchedHeaders {
  get(name: string): string | null;
  forEach(each: (value: string, name: string) => void): void;
}

export interface Retry {
  readonly method: string;
  /** Without the host and the query. */
  readonly path: string;
  /** How many tries have failed. */
  readonly attempt: number;
  /** Milliseconds until the next try. */
  readonly wait: number;
  readonly error: CreatorProtectionError;
}

/** What one call does differently from the client's options. */
export interface CallOptions {
  readonly timeout?: number | undefined;
  readonly deadline?: number | undefined;
  readonly maxRetries?: number | undefined;
  /** Ends the call, also during a wait, with the signal's reason: the `cause` of a `ConnectionError` where there is a key. */
  readonly signal?: AbortSignal | undefined;
}

export interface IdempotentCallOptions extends CallOptions {
  /**
   * 1 to 120 characters. Without it, the client makes a random one for the call and all its repeats. Give one that you
   * have stored, such as the id of your own job, if the call has to survive a crash of your process.
   */
  readonly idempotencyKey?: string | undefined;
}

export interface ListOptions extends CallOptions {
  /** Items on a page, 1 to 100; default: 100. */
  readonly limit?: number | undefined;
  /** The `next_cursor` of an earlier page: the list continues after it. `null` is the start. */
  readonly after?: string | null | undefined;
}

export const DEFAULT_PAGE_SIZE = 100;
