import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { derivedId, type KeyId } from '#kernel';

const SECRET = /^svc_live_[A-Za-z0-9_-]{43}$/;

/** D18: `svc_live_` and 256 random bits. */
export const newKeySecret = (): string => `svc_live_${randomBytes(32).toString('base64url')}`;

export const isKeySecret = (text: string): boolean => SECRET.test(text);

export const hashSecret = (secret: string): string => hash('sha256', secret, 'hex');

/** The key's id follows from its secret, so that its stream is found without an index; not the other way round. */
export const keyIdOf = (secretHash: string): KeyId => derivedId('key', secretHash);

/** The key that a secret would open, if it has been issued. */
export interface KeyClaim {
  readonly keyId: KeyId;
  readonly secretHash: string;
}

/** Which key the secret would open, found without a read; undefined if it has not the form of a live key's secret. */
export const keyClaimOf = (secret: string, idOf = keyIdOf): KeyClaim | undefined => {
  if (!isKeySecret(secret)) return undefined;
  const secretHash = hashSecret(secret);
  return { keyId: idOf(secretHash), secretHash };
};

export const sameHash = (left: string, right: string): boolean =>
  left.length === right.length && timingSafeEqual(Buffer.from(left), Buffer.from(right));
