import type { WebhookEndpointId } from '#kernel';
import type { SendOutcome } from '../domain/send-outcome.js';

export interface WebhookRequest {
  /** Requests of one endpoint share its connections, and wait for no other endpoint (D63). */
  readonly endpointId: WebhookEndpointId;
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
