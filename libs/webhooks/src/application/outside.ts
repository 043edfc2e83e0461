import { invalidRequest, type WebhookEndpointId } from '#kernel';
import type { SendOutcome } from '../domain/send-result.js';

export abstract class TargetPolicy {
  /** Why an endpoint may not have this URL, by its form and by the present addresses of its host; or undefined. */
  abstract problem(url: string): Promise<string | undefined>;
}

/** Rejects with `invalid_request`, and the reason. */
export const requireAllowed = async (targets: TargetPolicy, url: string): Promise<void> => {
  const message = await targets.problem(url);
  if (message !== undefined) throw invalidRequest({ field: 'url', message });
};

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
