import type { EventType, FoundPageOf } from '../answers.js';

export interface ListedDeliveryAnswer {
  readonly id: string;
  readonly endpoint_id: string;
  readonly event_id: string;
  readonly event_type: EventType;
  readonly creator_id: string;
  readonly status: 'pending' | 'delivered' | 'failed';
  readonly attempts: number;
  readonly last_status: number | null;
  readonly last_error: string | null;
  readonly next_attempt_at: number | null;
  /** The time of the event. */
  readonly created_at: number;
}

export interface DisabledSpanAnswer {
  readonly endpoint_id: string;
  readonly from: number;
  /** Null while it lasts. */
  readonly to: number | null;
  /** Events of the endpoint's types that were published in this time. */
  readonly count: number;
}

export interface DeliveriesAnswer extends FoundPageOf<ListedDeliveryAnswer> {
  /** Only with `tab=undelivered`. */
  readonly disabled_spans?: readonly DisabledSpanAnswer[];
}

export interface AttemptAnswer {
  /** When its outcome was recorded, for attempts of earlier versions. */
  readonly sent_at: number;
  readonly ms: number | null;
  readonly status: number | null;
  readonly error: string | null;
}

export interface BytesAnswer {
  /** Empty where they may not be seen; `withheld` says why. */
  readonly bytes: string;
  readonly withheld: 'erased' | 'ended' | 'missing' | 'unreadable' | null;
}

export interface DeliveryAnswer extends Omit<ListedDeliveryAnswer, 'attempts'>, BytesAnswer {
  /** Response headers of the latest attempt; empty if they are unknown. */
  readonly headers: Readonly<Record<string, string>>;
  readonly attempts: readonly AttemptAnswer[];
}

export interface DeliveryCountAnswer {
  /** Counting stops at 10,000. */
  readonly count: number;
  readonly is_more: boolean;
}
