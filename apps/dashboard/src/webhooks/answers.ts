import type { CodeSamplesAnswer, EventType, PageOf } from '../answers.js';

export interface ListedEndpointAnswer {
  readonly id: string;
  readonly url: string;
  /** Null for all types, also those that are added later (D104). */
  readonly types: readonly EventType[] | null;
  readonly status: 'active' | 'disabled' | 'earlier_binding';
  readonly created_at: number;
  readonly disabled_reason: string | null;
  /** The share of successful attempts in the last seven days, from 0 to 1. */
  readonly success_rate: number | null;
  /** The mean of the same attempts. */
  readonly latency_ms: number | null;
  readonly pending: number;
  readonly last_failure_at: number | null;
  /** Unless a delivery succeeds before; null until half of that time is over. */
  readonly disables_at: number | null;
}

export type EndpointsAnswer = PageOf<ListedEndpointAnswer>;

export interface RotatedSecretAnswer {
  readonly id: string;
  readonly secret: string;
}

/** The only answer with the secret. */
export interface RegisteredEndpointAnswer extends RotatedSecretAnswer {
  readonly url: string;
  readonly created_at: number;
  readonly samples: CodeSamplesAnswer;
}

/** Nothing of the receiver's answer but its status. */
export interface TestAnswer {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly status: number | null;
  readonly ms: number | null;
  /** `pending` if no worker has sent it in time. */
  readonly error: string | null;
}

export interface SignatureCheckAnswer {
  readonly verdict: 'valid' | 'clock' | 'bytes' | 'older_secret' | 'unknown_secret';
  readonly message: string;
}
