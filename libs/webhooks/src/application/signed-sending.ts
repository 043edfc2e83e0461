import { Injectable } from '@nestjs/common';
import { Clock, type Instant, invalidRequest, SECOND, type WebhookEndpointId } from '#kernel';
import type { SendOutcome, SendResult } from '../domain/send-result.js';
import { SIGNATURE_HEADER, signatureHeader, standardHeaders } from '../domain/signatures.js';
import { encryptedSecretsAt, type RegisteredEndpoint } from '../domain/webhook-endpoint.js';
import { SecretCipher } from './secret-cipher.js';

export interface WebhookRequest {
  /** Requests of one endpoint share its connections, and wait for no other endpoint (D63). */
  readonly endpointId: WebhookEndpointId;
  readonly url: string;
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

export abstract class WebhookSender {
  /** Why an endpoint may not have this URL, by its form and by the present addresses of its host; or undefined. */
  abstract problem(url: string): Promise<string | undefined>;
  /** Once, within five seconds from connecting to response headers (D60). Rejects only after `close`. */
  abstract send(request: WebhookRequest): Promise<SendOutcome>;
  abstract close(): Promise<void>;
}

export const requireAllowed = async (sender: WebhookSender, url: string): Promise<void> => {
  const message = await sender.problem(url);
  if (message !== undefined) throw invalidRequest({ field: 'url', message });
};

@Injectable()
export class SignedSending {
  constructor(
    private readonly sender: WebhookSender,
    private readonly cipher: SecretCipher,
    private readonly clock: Clock,
  ) {}

  /** Sends bytes to the endpoint, signed as of now with every secret that is in force (D61, D102). */
  async send(endpoint: RegisteredEndpoint, eventId: string, body: Buffer) {
    const sentAt = this.clock.now();
    const began = this.clock.elapsed();
    const headers = this.headers(endpoint, eventId, body, sentAt);
    const { endpointId, url } = endpoint;
    const { retryAfter, ...outcome } = await this.sender.send({ endpointId, url, body, headers });
    const result: SendResult = { ...outcome, sentAt, ms: Math.round(this.clock.elapsed() - began) };
    return { result, retryAfter, headers };
  }

  headers(endpoint: RegisteredEndpoint, eventId: string, body: Buffer, at: Instant): Readonly<Record<string, string>> {
    const keys = encryptedSecretsAt(endpoint, at).map((secret) => this.cipher.signingKey(endpoint, secret));
    const seconds = Math.floor(at / SECOND);
    return {
      'Content-Type': 'application/json',
      'X-SVC-Event-ID': eventId,
      [SIGNATURE_HEADER]: signatureHeader(keys, seconds, body),
      ...standardHeaders(keys, eventId, seconds, body),
    };
  }
}
