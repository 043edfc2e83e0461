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
  /** Once, within five seconds from connecting to response headers (D60). Rejects only after `close`. */
  abstract send(request: WebhookRequest): Promise<SendOutcome>;
  abstract close(): Promise<void>;
}
