import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { type Duration, type Instant, MINUTE, SECOND } from '#kernel';

/** D61: 32 bytes in standard base64. Secrets of the earlier form, 43 characters of base64url, encode no key. */
const STANDARD_FORM = /^whsec_([A-Za-z0-9+/]{43}=)$/;

/** A secret that signs with HMAC-SHA256. With its text instead of a key object Node takes nearly twice as long. */
export class SigningKey {
  private readonly key: KeyObject;
  private readonly standardKey: KeyObject | undefined;

  /** The secret as displayed, with `whsec_`: the key is its UTF-8 bytes (D61). */
  constructor(secret: string) {
    // Anybody could sign with an empty key, so a variable that is not set is refused.
    if (secret === '') throw new TypeError('the secret is empty');
    this.key = createSecretKey(secret, 'utf8');
    const [, encoded] = STANDARD_FORM.exec(secret) ?? [];
    this.standardKey = encoded === undefined ? undefined : createSecretKey(encoded, 'base64');
  }

  /** Signs the timestamp as it is written, a dot and the body's bytes; the result is hexadecimal. */
  sign(timestamp: string, body: Uint8Array): string {
    return createHmac('sha256', this.key).update(`${timestamp}.`).update(body).digest('hex');
  }

  /** D102: as Standard Webhooks has it, in base64; undefined for a secret of the earlier form. */
  signStandard(id: string, timestamp: string, body: Uint8Array): string | undefined {
    if (this.standardKey === undefined) return undefined;
    return createHmac('sha256', this.standardKey).update(`${id}.${timestamp}.`).update(body).digest('base64');
  }
}

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

/**
 * The headers of Standard Webhooks, with a signature of each secret of the present form, in the order of the keys; none
 * if all secrets are of the earlier form (D102). https://github.com/standard-webhooks/standard-webhooks
 */
export const standardHeaders = (
  keys: readonly SigningKey[],
  id: string,
  timestampSeconds: number,
  body: Uint8Array,
): Readonly<Record<string, string>> => {
  const timestamp = String(timestampSeconds);
  const signatures = keys.flatMap((key) => key.signStandard(id, timestamp, body) ?? []);
  if (signatures.length === 0) return {};
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.map((signature) => `v1,${signature}`).join(' '),
  };
};

/** How far the time of a signature may be from a receiver's clock. */
const TOLERANCE: Duration = 5 * MINUTE;

type CheckVerdict = 'valid' | 'clock' | 'bytes' | 'older_secret' | 'unknown_secret';

export interface ReceivedSignature {
  /** In seconds, as it is written. */
  readonly timestamp: string;
  readonly isOf: (key: SigningKey, body: Uint8Array) => boolean;
}

export interface CheckResult {
  readonly verdict: CheckVerdict;
  /** How long ago it was signed; negative for the future. */
  readonly age: Duration;
}

/** Why a receiver may have refused a request. Different bytes come first, because they hide every other fault. */
export const checkSignature = (
  /** Whether the received bytes are those that were sent. */
  { signature, hasSameBytes }: { readonly signature: ReceivedSignature; readonly hasSameBytes: boolean },
  body: Uint8Array,
  keys: { readonly inForce: readonly SigningKey[]; readonly replaced: readonly SigningKey[] },
  now: Instant,
): CheckResult => {
  const age = now - Number(signature.timestamp) * SECOND;
  const hasSigned = (key: SigningKey) => signature.isOf(key, body);
  const verdict = (): CheckVerdict => {
    if (!hasSameBytes) return 'bytes';
    if (keys.inForce.some(hasSigned)) return Math.abs(age) <= TOLERANCE ? 'valid' : 'clock';
    return keys.replaced.some(hasSigned) ? 'older_secret' : 'unknown_secret';
  };
  return { verdict: verdict(), age };
};

const OWN_HEADER = /^t=(0|[1-9]\d{0,11})((?:,v1=[0-9a-f]{64})+)$/;

/** That of the header `X-SVC-Signature` (D61); undefined for one of another form. */
export const ownSignature = (header: string): ReceivedSignature | undefined => {
  const [, timestamp, signatures] = OWN_HEADER.exec(header) ?? [];
  if (timestamp === undefined || signatures === undefined) return undefined;
  const received = signatures.split(',v1=').slice(1);
  return { timestamp, isOf: (key, body) => received.includes(key.sign(timestamp, body)) };
};

const TIMESTAMP = /^(?:0|[1-9]\d{0,11})$/;
const FIRST_VERSION = 'v1,';

/** That of the headers of Standard Webhooks (D102), whose later versions of signatures are not ours; undefined for other forms. */
export const standardSignature = ({
  id,
  timestamp,
  signature,
}: Record<'id' | 'timestamp' | 'signature', string>): ReceivedSignature | undefined => {
  const ofVersion = signature.split(' ').filter((each) => each.startsWith(FIRST_VERSION));
  if (!TIMESTAMP.test(timestamp) || ofVersion.length === 0) return undefined;
  const received = ofVersion.map((each) => each.slice(FIRST_VERSION.length));
  return { timestamp, isOf: (key, body) => received.includes(key.signStandard(id, timestamp, body) ?? '') };
};
