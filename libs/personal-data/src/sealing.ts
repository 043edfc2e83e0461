import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';

/** AES-256-GCM: nonce, then tag, then ciphertext. */
const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
export const KEY_BYTES = 32;

/** Node takes five times as long with a key's bytes as with what it makes of them; gone when the bytes are. */
const prepared = new WeakMap<Buffer, KeyObject>();

const prepare = (key: Buffer): KeyObject => {
  const known = prepared.get(key) ?? createSecretKey(key);
  prepared.set(key, known);
  return known;
};

/** Seals bytes under a key of 32 bytes; `context` has to be the same at opening, and is not kept. */
export const seal = (plain: Buffer, key: Buffer, context: string): Buffer => {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, prepare(key), nonce).setAAD(Buffer.from(context));
  const sealed = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
};

/** The bytes that were sealed, or undefined where key, context or bytes are not those. */
export const open = (sealed: Buffer, key: Buffer, context: string): Buffer | undefined => {
  if (sealed.length < NONCE_BYTES + TAG_BYTES) return undefined;
  const decipher = createDecipheriv(ALGORITHM, prepare(key), sealed.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(Buffer.from(context)).setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  try {
    const plain = decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES));
    // Of GCM nothing is left over for it: it says whether all is as it was sealed.
    decipher.final();
    return plain;
  } catch {
    return undefined;
  }
};
