import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';

/** AES-256-GCM: nonce, then tag, then ciphertext. */
const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
export const KEY_BYTES = 32;

/** Encrypting with raw key bytes takes five times as long; an entry is dropped with its bytes. */
const prepared = new WeakMap<Buffer, KeyObject>();

const prepare = (key: Buffer): KeyObject => {
  const known = prepared.get(key) ?? createSecretKey(key);
  prepared.set(key, known);
  return known;
};

/** Encrypts with a key of 32 bytes. Decryption needs the same `context`, which is not in the result. */
export const encrypt = (plain: Buffer, key: Buffer, context: string): Buffer => {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, prepare(key), nonce).setAAD(Buffer.from(context));
  const encrypted = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), encrypted]);
};

/** The plain bytes, or undefined if key, context or bytes are not the same as at encryption. */
export const decrypt = (encrypted: Buffer, key: Buffer, context: string): Buffer | undefined => {
  if (encrypted.length < NONCE_BYTES + TAG_BYTES) return undefined;
  const decipher = createDecipheriv(ALGORITHM, prepare(key), encrypted.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(Buffer.from(context)).setAuthTag(encrypted.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  try {
    const plain = decipher.update(encrypted.subarray(NONCE_BYTES + TAG_BYTES));
    // In GCM mode `final` returns no bytes; it throws if the tag does not match.
    decipher.final();
    return plain;
  } catch {
    return undefined;
  }
};
