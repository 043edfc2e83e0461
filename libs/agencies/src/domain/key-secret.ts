import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { derivedId, type KeyId } from '#kernel';

const SECRET = /^svc_live_[A-Za-z0-9_-]{43}$/;

/** D18: `svc_live_` and 256 random bits. */
export const newKeySecret = (): string => `svc_live_${randomBytes(32).toString('base64url')}`;

export const isKeySecret = (text: string): boolean => SECRET.test(text);

export const hashSecret = (secret: string): string => hash('sha256', secret, 'hex');

/** D18: too little to guess the other 39 characters. */
export const lastFourOf = (secret: string): string => secret.slice(-4);

/** The key's id is derived from its secret, so the secret leads to the key's stream without an index. */
export const keyIdOf = (secretHash: string): KeyId => derivedId('key', secretHash);

export interface KeyClaim {
  readonly keyId: KeyId;
  readonly secretHash: string;
}

/** Computed without a read. Undefined if the text does not have the form of a live key's secret. */
export const keyClaimOf = (secret: string, idOf = keyIdOf): KeyClaim | undefined => {
  if (!isKeySecret(secret)) return undefined;
  const secretHash = hashSecret(secret);
  return { keyId: idOf(secretHash), secretHash };
};

export const sameHash = (left: string, right: string): boolean =>
  left.length === right.length && timingSafeEqual(Buffer.from(left), Buffer.from(right));
