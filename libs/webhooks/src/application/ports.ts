import type { Duration, Instant, WebhookDeliveryId, WebhookEndpointId } from '#kernel';

/** The outcome of an attempt. Of a response only its status and its `Retry-After` are kept. */
export type SendOutcome =
  | { readonly kind: 'delivered'; readonly status: number }
  /** An answer that is not 2xx, redirects too. */
  | { readonly kind: 'refused'; readonly status: number; readonly retryAfter?: Duration }
  | {
      readonly kind: 'failed';
      readonly error:
        | 'timeout'
        | 'connection_failed'
        | 'tls_failed'
        | 'dns_failed'
        | 'target_forbidden'
        | 'response_invalid';
    };

export interface WebhookRequest {
  readonly url: string;
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

export abstract class WebhookSender {
  /**
   * Sends these bytes once, within five seconds from connecting to response headers (D60). Everything that the receiver
   * does is an outcome; rejects only after `close`.
   */
  abstract send(request: WebhookRequest): Promise<SendOutcome>;
  /** Waits for requests in flight. */
  abstract close(): Promise<void>;
}

/** Whether an endpoint may have this URL, by its form and by what its host resolves to now. */
export abstract class TargetPolicy {
  abstract check(url: string): Promise<TargetVerdict>;
}

export type TargetVerdict = { readonly allowed: true } | { readonly allowed: false; readonly reason: string };

/** Pending deliveries in a read model. It lags, so its users load the stream before they act. */
export abstract class WebhookBacklog {
  /** Every endpoint with pending deliveries, and when the first of them is due. */
  abstract waiting(): Promise<readonly WaitingEndpoint[]>;
  /** Deliveries to the endpoint that are due, the longest due first, and at the same moment in the order of the feed. */
  abstract due(endpointId: WebhookEndpointId, now: Instant, limit: number): Promise<readonly DueDelivery[]>;
  /** Deliveries to the endpoint that are pending, due or not. */
  abstract pending(endpointId: WebhookEndpointId, limit: number): Promise<readonly WebhookDeliveryId[]>;
  /** When the endpoint's failures since its last success began, or null. */
  abstract failingSince(endpointId: WebhookEndpointId): Promise<Instant | null>;
}

export interface DueDelivery {
  readonly deliveryId: WebhookDeliveryId;
  readonly dueAt: Instant;
}

export interface WaitingEndpoint {
  readonly endpointId: WebhookEndpointId;
  readonly dueAt: Instant;
}
