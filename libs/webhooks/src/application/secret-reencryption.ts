import { Injectable } from '@nestjs/common';
import type { CommandContext, WebhookEndpointId } from '#kernel';
import { reencryptSecrets } from '../domain/webhook-endpoint.js';
import { SecretCipher } from './secret-cipher.js';
import { type FoundEndpoint, WebhookEndpointRepository } from './webhook-endpoint.repository.js';

export interface Reencrypted {
  readonly reencrypted: number;
  readonly unreadable: number;
}

/** D85: encrypts an endpoint's secrets with the current key. Secrets that none of the keys decrypts do not change. */
@Injectable()
export class SecretReencryption {
  constructor(
    private readonly endpoints: WebhookEndpointRepository,
    private readonly cipher: SecretCipher,
  ) {}

  async reencrypt(endpointId: WebhookEndpointId, context: CommandContext): Promise<Reencrypted> {
    return this.encryptAgain(await this.endpoints.find(endpointId), context);
  }

  /** A secret may be recorded after a concurrent rotation has passed its endpoint. */
  async completeRotation(endpoint: FoundEndpoint, context: CommandContext): Promise<void> {
    await this.cipher.refresh();
    await this.encryptAgain(endpoint, context);
  }

  private async encryptAgain(endpoint: FoundEndpoint, context: CommandContext): Promise<Reencrypted> {
    let [reencrypted, unreadable] = [0, 0];
    await this.endpoints.change(endpoint, context, (state, now) => {
      [reencrypted, unreadable] = [0, 0];
      return reencryptSecrets(state, now, (owner, encrypted) => {
        try {
          const ciphertext = this.cipher.reencrypted(owner, encrypted);
          if (ciphertext !== undefined) reencrypted++;
          return ciphertext;
        } catch {
          unreadable++;
          return undefined;
        }
      });
    });
    return { reencrypted, unreadable };
  }
}
