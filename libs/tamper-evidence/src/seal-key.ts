import { createPrivateKey, createPublicKey, hash, type KeyObject, sign, verify } from 'node:crypto';

/** The bytes before the 32 bytes of an Ed25519 key in DER (RFC 8410). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
const SPKI = Buffer.from('302a300506032b6570032100', 'hex');
const RAW = /^[A-Za-z0-9_-]{43}$/;

/** The key that verifies seals: Ed25519, 32 bytes in base64url. */
export class SealPublicKey {
  private constructor(
    readonly text: string,
    private readonly key: KeyObject,
  ) {}

  /** From 32 bytes in base64url, or from PEM (SPKI); undefined for anything else. */
  static parse(text: string): SealPublicKey | undefined {
    const trimmed = text.trim();
    try {
      const key = RAW.test(trimmed)
        ? createPublicKey({
            key: Buffer.concat([SPKI, Buffer.from(trimmed, 'base64url')]),
            format: 'der',
            type: 'spki',
          })
        : createPublicKey(trimmed);
      return key.asymmetricKeyType === 'ed25519' ? SealPublicKey.of(key) : undefined;
    } catch {
      return undefined;
    }
  }

  static of(key: KeyObject): SealPublicKey {
    return new SealPublicKey(key.export({ format: 'jwk' }).x ?? '', key);
  }

  /** 16 characters: short enough to be named in a seal and compared by eye. */
  get id(): string {
    return hash('sha256', Buffer.from(this.text, 'base64url'), 'hex').slice(0, 16);
  }

  get pem(): string {
    return String(this.key.export({ format: 'pem', type: 'spki' }));
  }

  /** Several texts decode to the same bytes; only the one that encodes them is a signature. */
  hasSigned(text: string, signature: string): boolean {
    const bytes = Buffer.from(signature, 'base64url');
    return bytes.toString('base64url') === signature && verify(null, Buffer.from(text), this.key, bytes);
  }
}

export class SealKey {
  readonly publicKey: SealPublicKey;
  private readonly key: KeyObject;

  /** `seed` is 32 secret bytes. The same seed gives the same key. */
  constructor(seed: Buffer) {
    this.key = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });
    this.publicKey = SealPublicKey.of(createPublicKey(this.key));
  }

  sign(text: string): string {
    return sign(null, Buffer.from(text), this.key).toString('base64url');
  }
}

/** The keys that an installation may sign with: during a rotation of the master key there are two (D85). */
export interface SealKeys {
  /** Signs the first seal of a log. */
  readonly current: SealKey;
  /** The log's last seal, or the last change of the key, determines which of them signs the next one. */
  readonly all: readonly SealKey[];
}
