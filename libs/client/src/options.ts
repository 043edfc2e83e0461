import type { CreatorProtectionError } from './errors.js';

export interface ClientOptions {
  /** Where the service is, such as `https://protection.example.com`. */
  readonly baseUrl: string | URL;
  /** `svc_live_…`; it is sent only to `baseUrl`, and appears in no error. */
  readonly apiKey: string;
  /** Milliseconds for one try, until its answer has arrived in full; default: 30,000. */
  readonly timeout?: number | undefined;
  /** Milliseconds for a call including retries and the waits between them; default: 120,000. */
  readonly deadline?: number | undefined;
  /** The maximum number of retries; without it, until the deadline. */
  readonly maxRetries?: number | undefined;
  /** In place of the global `fetch`. */
  readonly fetch?: FetchLike | undefined;
  /** Called before each wait for a retry, for logs and metrics. */
  readonly onRetry?: ((retry: Retry) => void) | undefined;
}

/** The part of `fetch` that the client uses, so that wrappers and the `fetch` of undici and node-fetch fit. */
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

/** Options that override the client's for one call. */
export interface CallOptions {
  readonly timeout?: number | undefined;
  readonly deadline?: number | undefined;
  readonly maxRetries?: number | undefined;
  /** Ends the call, even during a wait, with the signal's reason; with a key as `cause` of a `ConnectionError`. */
  readonly signal?: AbortSignal | undefined;
}

export interface IdempotentCallOptions extends CallOptions {
  /**
   * 1 to 120 characters. Without it, the client creates a random one for the call and all its retries. Pass one that
   * you have stored, such as the id of your own job, if the call has to survive a crash of your process.
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
