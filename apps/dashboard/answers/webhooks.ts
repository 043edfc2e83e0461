import type { CodeSamplesAnswer, EventType } from './parts.js';

export interface ListedEndpointAnswer {
  readonly id: string;
  readonly url: string;
  /** Null for all types, including later ones (D104). */
  readonly types: readonly EventType[] | null;
  readonly status: 'active' | 'disabled' | 'earlier_binding';
  /** Whether all attempts since its last success failed, and there was one. */
  readonly is_failing: boolean;
  readonly created_at: number;
  readonly disabled_reason: string | null;
  /** The share of successful attempts in the last seven days, from 0 to 1. */
  readonly success_rate: number | null;
  /** The mean of the same attempts. */
  readonly latency_ms: number | null;
  readonly pending: number;
  readonly last_failure_at: number | null;
  /** Null until half of that time has passed. A successful delivery clears it. */
  readonly disables_at: number | null;
}

export interface EndpointDayAnswer {
  /** A day in UTC, `YYYY-MM-DD`. */
  readonly day: string;
  readonly delivered: number;
  readonly failed: number;
  readonly latency_ms: number | null;
}

export interface EndpointFailureAnswer {
  readonly status: number | null;
  readonly error: string | null;
  readonly remedy: string;
  readonly count: number;
  /** The time of the latest event that was not delivered. */
  readonly last_at: number;
}

export interface EndpointAnswer extends ListedEndpointAnswer {
  readonly failing_since: number | null;
  /** The days of the last seven that have attempts, the oldest first. */
  readonly days: readonly EndpointDayAnswer[];
  /** Among the latest deliveries of these days, those that are not delivered, by their latest answer. */
  readonly failures: readonly EndpointFailureAnswer[];
  /** The secrets that sign, the newest first. */
  readonly secrets: readonly { readonly until: number | null }[];
}

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

export interface TestAnswer {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly status: number | null;
  readonly ms: number | null;
  /** `pending` if no worker has sent it in time. */
  readonly error: string | null;
  readonly remedy: string;
}

export interface SignatureCheckAnswer {
  readonly verdict: 'valid' | 'clock' | 'bytes' | 'older_secret' | 'unknown_secret';
  readonly message: string;
}
