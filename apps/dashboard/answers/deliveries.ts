import type { EventType, FoundPageOf } from './parts.js';

export interface ListedDeliveryAnswer {
  readonly id: string;
  readonly endpoint_id: string;
  /** Null for an endpoint of which nothing is known. */
  readonly endpoint_url: string | null;
  readonly event_id: string;
  readonly event_type: EventType;
  readonly creator_id: string;
  /** Null if the agency can no longer see the creator. */
  readonly creator_name: string | null;
  readonly status: 'pending' | 'delivered' | 'failed';
  readonly attempts: number;
  readonly last_status: number | null;
  readonly last_error: string | null;
  /** How to fix the last failure; empty without one. */
  readonly remedy: string;
  readonly next_attempt_at: number | null;
  /** The time of the event. */
  readonly created_at: number;
}

export interface DisabledSpanAnswer {
  readonly endpoint_id: string;
  readonly from: number;
  /** Null while it lasts. */
  readonly to: number | null;
  /** Published events of the endpoint's types. */
  readonly count: number;
}

export interface DeliveriesAnswer extends FoundPageOf<ListedDeliveryAnswer> {
  /** Only with `tab=undelivered`. */
  readonly disabled_spans?: readonly DisabledSpanAnswer[];
}

export interface AttemptAnswer {
  /** For attempts of earlier versions, the time at which the outcome was recorded. */
  readonly sent_at: number;
  readonly ms: number | null;
  readonly status: number | null;
  readonly error: string | null;
  readonly remedy: string;
}

export interface BytesAnswer {
  /** Empty if `withheld` says why they may not be seen. */
  readonly bytes: string;
  readonly withheld: 'erased' | 'ended' | 'missing' | 'unreadable' | null;
}

export interface DeliveryAnswer extends Omit<ListedDeliveryAnswer, 'attempts' | 'remedy'>, BytesAnswer {
  /** The request headers of the latest attempt; empty if they are unknown. */
  readonly headers: Readonly<Record<string, string>>;
  readonly attempts: readonly AttemptAnswer[];
}

export interface DeliveryCountAnswer {
  /** Counting stops at 10,000. */
  readonly count: number;
  /** Those of them that have been delivered. */
  readonly delivered: number;
  readonly is_more: boolean;
}

export interface ReplayAnswer {
  /** The id of the endpoint, which has one replay at a time. */
  readonly id: string;
  readonly endpoint_id: string;
  readonly status: 'running' | 'ended';
  readonly reason: 'completed' | 'ended_by_person' | 'endpoint_disabled' | 'access_revoked' | null;
  /** Matching deliveries at the time of the request, up to 10,000. */
  readonly total: number;
  readonly total_is_more: boolean;
  readonly replayed: number;
  readonly requested_at: number;
  readonly ended_at: number | null;
}
