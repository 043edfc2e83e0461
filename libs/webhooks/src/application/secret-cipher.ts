import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type Cache, Caches, type CommandContext, type WebhookEndpointId } from '#kernel';
import { decrypt, encrypt } from '#personal-data';
import { SigningKey } from '../domain/signatures.js';
import { type RegisteredEndpoint, reencryptSecrets } from '../domain/webhook-endpoint.js';
import { WebhookEndpointRepository } from './repositories.js';

const KEY_ID_CHARACTERS = 12;

/** `v2.<key id>.<base64url>`. Version 1 was base64url only: it named no key, and was bound to the endpoint's id alone. */
const VERSION_2 = /^v2\.([0-9a-f]{12})\.([\w-]+)$/;

/** D61: `whsec_` and 256 random bits in standard base64, which libraries of Standard Webhooks decode. */
export const newWebhookSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/** About 8,000 secrets. */
const LIMITS = { bytes: 8 * 1024 * 1024, entryBytes: 1_000 };

/** The owner of a secret. The ciphertext decrypts only for this endpoint with this URL. */
export type SecretOwner = Pick<RegisteredEndpoint, 'endpointId' | 'url'>;

/** 32 bytes each, derived from a master key only for webhook secrets. Both may change while the process runs. */
export interface SecretKeyRing {
  readonly current: Buffer;
  readonly all: readonly Buffer[];
}

/** Encrypts webhook secrets for the log, with AES-256-GCM; the owner is authenticated with them. */
export class SecretCipher {
  /** Each attempt signs, and decrypting costs more than signing. */
  private readonly signingKeys: Cache<string, SecretOwner & { readonly key: SigningKey }>;

  constructor(
    private readonly keys: SecretKeyRing,
    /** Learns which key encrypts: another process may have begun a rotation (D85). */
    readonly refresh: () => Promise<void> = async () => undefined,
    caches: Caches = Caches.ON,
  ) {
    this.signingKeys = caches.create(LIMITS);
  }

  encrypt(owner: SecretOwner, secret: string): string {
    const key = this.keys.current;
    const id = keyIdOf(key);
    return `v2.${id}.${encrypt(Buffer.from(secret), key, boundTo(owner, id)).toString('base64url')}`;
  }

  /** D85: the same secret encrypted with the current key; undefined if it already is. */
  reencrypted(owner: SecretOwner, encrypted: string): string | undefined {
    const [, id] = VERSION_2.exec(encrypted) ?? [];
    return id === keyIdOf(this.keys.current) ? undefined : this.encrypt(owner, this.decrypt(owner, encrypted));
  }

  signingKey(owner: SecretOwner, encrypted: string): SigningKey {
    const known = this.signingKeys.get(encrypted);
    if (known?.endpointId === owner.endpointId && known.url === owner.url) return known.key;
    const key = new SigningKey(this.decrypt(owner, encrypted));
    this.signingKeys.set(encrypted, { endpointId: owner.endpointId, url: owner.url, key });
    return key;
  }

  /** Throws if none of the keys encrypted it, if it was changed, or if it belongs to another endpoint or URL. */
  decrypt(owner: SecretOwner, encrypted: string): string {
    const [, id, ciphertext = encrypted] = VERSION_2.exec(encrypted) ?? [];
    const context = id === undefined ? owner.endpointId : boundTo(owner, id);
    for (const key of this.keys.all.filter((one) => id === undefined || keyIdOf(one) === id)) {
      const secret = decrypt(Buffer.from(ciphertext, 'base64url'), key, context);
      if (secret !== undefined) return secret.toString();
    }
    const name = id === undefined ? '' : `, ${id},`;
    throw new Error(`another key${name} encrypted the secret of ${owner.endpointId}, or it was changed or copied`);
  }
}

const boundTo = ({ endpointId, url }: SecretOwner, keyId: string): string =>
  JSON.stringify(['v2', keyId, endpointId, url]);

/** Identifies a key without revealing anything about its bytes. */
const keyIdOf = (key: Buffer): string =>
  createHash('sha256').update('webhook secrets').update(key).digest('hex').slice(0, KEY_ID_CHARACTERS);

/** D85: encrypts an endpoint's secrets with the current key. Secrets that none of the keys decrypts do not change. */
@Injectable()
export class SecretReencryption {
  constructor(
    private readonly endpoints: WebhookEndpointRepository,
    private readonly cipher: SecretCipher,
  ) {}

  async reencrypt(endpointId: WebhookEndpointId, context: CommandContext) {
    await this.cipher.refresh();
    const endpoint = await this.endpoints.find(endpointId);
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
