import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { WebhookEndpointId } from '#kernel';
import { SigningKey } from './signing-key.js';

const ALGORITHM = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** D61: `whsec_` and 256 random bits. */
export const newWebhookSecret = (): string => `whsec_${randomBytes(32).toString('base64url')}`;

const REMEMBERED = 10_000;

interface PreparedKey {
  readonly endpointId: WebhookEndpointId;
  readonly key: SigningKey;
}

/** Seals secrets for the log, with AES-256-GCM: base64url of IV, tag and text, bound to the endpoint that it is for. */
export class SecretSeal {
  /** Each attempt signs, and to open costs more than to sign. */
  private readonly keys = new LRUCache<string, PreparedKey>({ max: REMEMBERED });

  constructor(
    /** 32 bytes, derived from the master key for this alone. */
    private readonly key: Buffer,
  ) {}

  seal(endpointId: WebhookEndpointId, secret: string): string {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.key, iv).setAAD(Buffer.from(endpointId));
    const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64url');
  }

  /** What signs with a sealed secret; throws as `open` does. */
  signingKey(endpointId: WebhookEndpointId, sealed: string): SigningKey {
    const known = this.keys.get(sealed);
    if (known?.endpointId === endpointId) return known.key;
    const key = new SigningKey(this.open(endpointId, sealed));
    this.keys.set(sealed, { endpointId, key });
    return key;
  }

  /** Throws where the key is another, or what was sealed is not as it was. */
  open(endpointId: WebhookEndpointId, sealed: string): string {
    const bytes = Buffer.from(sealed, 'base64url');
    const [iv, tag] = [bytes.subarray(0, IV_BYTES), bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES)];
    const decipher = createDecipheriv(ALGORITHM, this.key, iv, { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(endpointId)).setAuthTag(tag);
    const text = bytes.subarray(IV_BYTES + TAG_BYTES);
    return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8');
  }
}
