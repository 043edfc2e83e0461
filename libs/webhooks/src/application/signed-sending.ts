import { Injectable } from '@nestjs/common';
import { Clock, type Instant, SECOND } from '#kernel';
import type { SendOutcome, Timing } from '../domain/send-result.js';
import { SIGNATURE_HEADER, signatureHeader, standardHeaders } from '../domain/signing-key.js';
import { encryptedSecretsAt, type RegisteredEndpoint } from '../domain/webhook-endpoint.js';
import { WebhookSender } from './outside.js';
import { SecretCipher } from './secret-cipher.js';

export interface Sent {
  readonly outcome: SendOutcome;
  readonly timing: Timing;
  readonly headers: Readonly<Record<string, string>>;
}

@Injectable()
export class SignedSending {
  constructor(
    private readonly sender: WebhookSender,
    private readonly cipher: SecretCipher,
    private readonly clock: Clock,
  ) {}

  /** Sends bytes to the endpoint, signed as of now with every secret that is in force (D61, D102). */
  async send(endpoint: RegisteredEndpoint, eventId: string, body: Buffer): Promise<Sent> {
    const sentAt = this.clock.now();
    const began = this.clock.elapsed();
    const headers = this.headers(endpoint, eventId, body, sentAt);
    const outcome = await this.sender.send({ endpointId: endpoint.endpointId, url: endpoint.url, body, headers });
    return { outcome, timing: { sentAt, ms: Math.round(this.clock.elapsed() - began) }, headers };
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
