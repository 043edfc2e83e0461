import type { PageOf } from './parts.js';

export interface RefusedRequestAnswer {
  readonly request_id: string;
  readonly at: number;
  readonly key_id: string;
  /** Null for a key without a name. */
  readonly key_name: string | null;
  readonly route: string;
  readonly status: number;
  readonly code: string | null;
  readonly problems: readonly { readonly field: string; readonly rule: string }[];
  readonly remedy: string;
}

export interface RefusedGroupAnswer extends Pick<RefusedRequestAnswer, 'code' | 'route' | 'remedy'> {
  readonly count: number;
  readonly last_at: number;
}

/** The latest refused or failed requests; those of the last second may be missing. */
export interface RequestsAnswer extends PageOf<RefusedRequestAnswer> {
  /** Groups of all stored requests, the most frequent first. */
  readonly groups: readonly RefusedGroupAnswer[];
  /** The highest number of requests that are stored. */
  readonly kept: number;
}

export interface RequestAnswer {
  /** Null for a request that succeeded, is no longer kept, or was never seen. */
  readonly request: (RefusedRequestAnswer & { readonly docs: string; readonly curl: string | null }) | null;
  /** The refused or failed requests of the same key before and after it, the newest first. */
  readonly around: readonly RefusedRequestAnswer[];
}

export interface CallsAtAnswer {
  readonly at: number;
  readonly calls: number;
}

/** Calls of 24 hours by quarter of an hour, or of 30 days by eight hours: at most 96, which end now. */
export interface CallsAnswer {
  readonly by: 'minute' | 'hour';
  readonly data: readonly CallsAtAnswer[];
  /** Calls of each key in the same time, the most frequent key first. */
  readonly keys: readonly { readonly key_id: string; readonly key_name: string | null; readonly calls: number }[];
}
