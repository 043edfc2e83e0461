import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type Cache, Caches, type CommandContext, type WebhookEndpointId } from '#kernel';
import { SigningKey } from '../domain/signing-key.js';
import { reencryptSecrets } from '../domain/webhook-endpoint.js';
import { type FoundEndpoint, WebhookEndpointRepository } from './repositories.js';

const ALGORITHM = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
const KEY_ID_CHARACTERS = 12;

/** `v2.<key id>.<base64url of IV, tag and text>`; before it was base64url only, bound to the endpoint's id alone. */
const VERSION_2 = /^v2\.([0-9a-f]{12})\.([\w-]+)$/;

/** D61: `whsec_` and 256 random bits in standard base64, which libraries of Standard Webhooks decode. */
export const newWebhookSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/** About 8,000 secrets. */
const LIMITS = { bytes: 8 * 1024 * 1024, entryBytes: 1_000 };

/** The owner of a secret. The ciphertext decrypts only for this endpoint with this URL. */
export interface SecretOwner {
  readonly endpointId: WebhookEndpointId;
  readonly url: string;
}

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
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(ALGORITHM, key, iv).setAAD(boundTo(owner, id));
    const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return `v2.${id}.${Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64url')}`;
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
    const [, id, ciphertext] = VERSION_2.exec(encrypted) ?? [];
    if (id === undefined || ciphertext === undefined) return this.decryptVersion1(owner, encrypted);
    const key = this.keys.all.find((candidate) => keyIdOf(candidate) === id);
    if (key === undefined) throw new Error(`the secret of ${owner.endpointId} was encrypted with another key, ${id}`);
    return decrypted(key, boundTo(owner, id), ciphertext);
  }

  /** The old form names no key, and is not bound to the URL. */
  private decryptVersion1({ endpointId }: SecretOwner, encrypted: string): string {
    let failure: unknown = new Error('there is no key');
    for (const key of this.keys.all) {
      try {
        return decrypted(key, Buffer.from(endpointId), encrypted);
      } catch (error) {
        failure = error;
      }
    }
    throw failure;
  }
}

const decrypted = (key: Buffer, authenticated: Buffer, ciphertext: string): string => {
  const bytes = Buffer.from(ciphertext, 'base64url');
  const [iv, tag] = [bytes.subarray(0, IV_BYTES), bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES)];
  const decipher = createDecipheriv(ALGORITHM, key, iv, { authTagLength: TAG_BYTES });
  decipher.setAAD(authenticated).setAuthTag(tag);
  const text = bytes.subarray(IV_BYTES + TAG_BYTES);
  return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8');
};

const boundTo = ({ endpointId, url }: SecretOwner, keyId: string): Buffer =>
  Buffer.from(JSON.stringify(['v2', keyId, endpointId, url]));

/** Identifies a key, and reveals nothing about its bytes. */
const keyIdOf = (key: Buffer): string =>
  createHash('sha256').update('webhook secrets').update(key).digest('hex').slice(0, KEY_ID_CHARACTERS);

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
