import { Injectable } from '@nestjs/common';
import { Clock, SECOND } from '#kernel';
import type { SendOutcome } from '../domain/send-outcome.js';
import { signatureHeader } from '../domain/signature.js';
import { standardHeaders } from '../domain/standard-webhooks.js';
import { encryptedSecretsAt, type RegisteredEndpoint } from '../domain/webhook-endpoint.js';
import { SecretCipher } from './secret-cipher.js';
import { WebhookSender } from './webhook-sender.js';

/** Sends events and pings to an endpoint, with its signatures. */
@Injectable()
export class SignedSending {
  constructor(
    private readonly sender: WebhookSender,
    private readonly cipher: SecretCipher,
    private readonly clock: Clock,
  ) {}

  /** Sends bytes to the endpoint, signed as of now with every secret that is in force (D61, D102). */
  send(endpoint: RegisteredEndpoint, eventId: string, body: Buffer): Promise<SendOutcome> {
    const now = this.clock.now();
    const encrypted = encryptedSecretsAt(endpoint, now);
    const keys = encrypted.map((secret) => this.cipher.signingKey(endpoint, secret));
    const seconds = Math.floor(now / SECOND);
    const headers = {
      'Content-Type': 'application/json',
      'X-SVC-Event-ID': eventId,
      'X-SVC-Signature': signatureHeader(keys, seconds, body),
      ...standardHeaders(keys, eventId, seconds, body),
    };
    return this.sender.send({ endpointId: endpoint.endpointId, url: endpoint.url, body, headers });
  }
}
