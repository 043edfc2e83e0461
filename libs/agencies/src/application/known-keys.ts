import { type Instant, type KeyId, unknownEvent } from '#kernel';
import type { ApiKeyEvent } from '../domain/api-key.js';
import { type KeyClaim, keyClaimOf, keyIdOf } from '../domain/key-secret.js';

const FOR_EVER = Number.POSITIVE_INFINITY;
const NEVER = Number.NEGATIVE_INFINITY;

/** As far as this process has read the log (D70). It does not say that a key is valid: only the key's stream does. */
export class KnownKeys {
  private readonly ends = new Map<KeyId, Instant>();
  private readonly ids = new Map<string, KeyId>();

  /** The key that the secret claims to be, as in `keyClaimOf`. The id of a known key is not computed again. */
  claimOf(secret: string): KeyClaim | undefined {
    return keyClaimOf(secret, (secretHash) => this.ids.get(secretHash) ?? keyIdOf(secretHash));
  }

  /** When the key ends or ended; undefined for a key that this process does not know as issued. */
  endOf(keyId: KeyId): Instant | undefined {
    return this.ends.get(keyId);
  }

  apply(event: ApiKeyEvent): void {
    switch (event.type) {
      case 'apiKey.issued.v1':
        this.ends.set(event.data.keyId, event.data.expiresAt ?? FOR_EVER);
        this.ids.set(event.data.secretHash, event.data.keyId);
        return;
      case 'apiKey.revoked.v1':
        this.ends.set(event.data.keyId, NEVER);
        return;
      default:
        unknownEvent(event, undefined);
    }
  }
}
