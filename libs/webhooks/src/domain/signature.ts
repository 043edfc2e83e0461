import type { SigningKey } from './signing-key.js';

export const SIGNATURE_HEADER = 'X-SVC-Signature';

/**
 * The value of `X-SVC-Signature`: `t=<unix_seconds>,v1=<hex>`, with a `,v1=` for each secret. The signed bytes are
 * `<unix_seconds>.` and the body's bytes, with the UTF-8 bytes of the whole displayed secret as key (D61).
 */
export const signatureHeader = (keys: readonly SigningKey[], timestampSeconds: number, body: Uint8Array): string => {
  if (keys.length === 0) throw new TypeError('there is no secret to sign with');
  const timestamp = String(timestampSeconds);
  return keys.reduce((header, key) => `${header},v1=${key.sign(timestamp, body)}`, `t=${timestamp}`);
};
