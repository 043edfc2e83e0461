import { type Instant, type KeyId, unknownEvent } from '#kernel';
import type { ApiKeyEvent } from '../domain/api-key.js';

const FOR_EVER = Number.POSITIVE_INFINITY;
const NEVER = Number.NEGATIVE_INFINITY;

/**
 * Which keys have been issued, as far as this process has read the log (D70). It answers without a read whether a secret
 * can be a key's at all. It does not say that a key is valid: only the key's stream does.
 */
export class KnownKeys {
  private readonly ends = new Map<KeyId, Instant>();

  /** From this time on the key is not valid any more; undefined for a key that is not known to have been issued. */
  endOf(keyId: KeyId): Instant | undefined {
    return this.ends.get(keyId);
  }

  apply(event: ApiKeyEvent): void {
    switch (event.type) {
      case 'apiKey.issued.v1':
        this.ends.set(event.data.keyId, event.data.expiresAt ?? FOR_EVER);
        return;
      case 'apiKey.revoked.v1':
        this.ends.set(event.data.keyId, NEVER);
        return;
      default:
        unknownEvent(event, undefined);
    }
  }
}
