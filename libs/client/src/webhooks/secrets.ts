import { WebhookVerificationError } from './errors.js';
import { fromBase64, type Signatures } from './signatures.js';

/** The two keys of a secret: its text as it was shown, and the 32 bytes that it encodes, which the earlier form has not. */
export interface SigningSecret {
  readonly svcKey: Uint8Array<ArrayBuffer>;
  readonly standardKey: Uint8Array<ArrayBuffer> | undefined;
}

export const signingSecrets = (secrets: string | readonly string[]): readonly SigningSecret[] => {
  // In JavaScript, an environment variable that is not set arrives here too.
  const given = [secrets ?? []].flat().map((secret) => `${secret ?? ''}`.trim());
  if (given.length === 0 || given.includes('')) {
    // With an empty secret, anybody could sign.
    throw new WebhookVerificationError('secret_missing', 'Pass the secret of the endpoint as it was shown: whsec_…');
  }
  return given.map((secret) => ({ svcKey: new TextEncoder().encode(secret), standardKey: encodedIn(secret) }));
};

/** Like other libraries of Standard Webhooks: also without the prefix. The padding marks the form. */
const encodedIn = (secret: string): Uint8Array<ArrayBuffer> | undefined => {
  const base64 = secret.replace(/^whsec_/, '');
  return /^[A-Za-z0-9+/]{43}=$/.test(base64) ? fromBase64(base64) : undefined;
};

/** The signature of each secret that signs this set of headers. */
export const signaturesOf = async (
  { scheme, prefix }: Signatures,
  body: Uint8Array,
  secrets: readonly SigningSecret[],
): Promise<readonly Uint8Array[]> => {
  const start = new TextEncoder().encode(prefix);
  const signed = new Uint8Array(start.length + body.length);
  signed.set(start);
  signed.set(body, start.length);
  const keys = secrets.flatMap(({ svcKey, standardKey }) => (scheme === 'svc' ? svcKey : (standardKey ?? [])));
  return Promise.all(keys.map((key) => hmac(key, signed)));
};

const hmac = async (key: Uint8Array<ArrayBuffer>, bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> => {
  const imported = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, bytes));
};
