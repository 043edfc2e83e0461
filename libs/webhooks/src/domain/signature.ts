import { timingSafeEqual } from 'node:crypto';
import { type Duration, type Instant, MINUTE, SECOND } from '#kernel';
import { SigningKey } from './signing-key.js';

export const SIGNATURE_HEADER = 'X-SVC-Signature';
export const SIGNATURE_TOLERANCE: Duration = 5 * MINUTE;

/**
 * The value of `X-SVC-Signature`: `t=<unix_seconds>,v1=<hex>`, with a `,v1=` for each secret. The signed bytes are
 * `<unix_seconds>.` and the body's bytes, with the UTF-8 bytes of the whole displayed secret as key (D61).
 */
export const signatureHeader = (keys: readonly SigningKey[], timestampSeconds: number, body: Uint8Array): string => {
  if (keys.length === 0) throw new TypeError('there is no secret to sign with');
  const timestamp = String(timestampSeconds);
  return keys.reduce((header, key) => `${header},v1=${key.sign(timestamp, body)}`, `t=${timestamp}`);
};

export interface SignedRequest {
  /** The header `X-SVC-Signature` as received; undefined if it is missing. */
  readonly header: string | undefined;
  /** The received bytes, before anything has parsed them. */
  readonly body: Uint8Array;
  /** The secrets as displayed, with `whsec_`; one of them must have signed. */
  readonly secrets: readonly string[];
  readonly now: Instant;
  /** How far the timestamp may be before or after `now`; default: five minutes. */
  readonly tolerance?: Duration;
}

export type SignatureVerdict =
  | { readonly valid: true; readonly signedAt: Instant }
  | {
      readonly valid: false;
      /** `timestamp_outside_tolerance` is returned only if a secret has signed: for a late or replayed request. */
      readonly reason: 'header_missing' | 'header_malformed' | 'signature_mismatch' | 'timestamp_outside_tolerance';
    };

/** Whether a request comes from this service. A receiver checks this before it parses the body. */
export const verifySignature = (request: SignedRequest): SignatureVerdict => {
  const { header, body, secrets, now, tolerance = SIGNATURE_TOLERANCE } = request;
  if (header === undefined) return { valid: false, reason: 'header_missing' };
  const signed = signaturesIn(header);
  if (signed === undefined) return { valid: false, reason: 'header_malformed' };
  const expected = secrets.map((secret) => Buffer.from(new SigningKey(secret).sign(signed.timestamp, body), 'hex'));
  // Compares all with all, so that the time does not reveal which one was close.
  const matches = expected.flatMap((own) => signed.signatures.map((theirs) => timingSafeEqual(own, theirs)));
  if (!matches.includes(true)) return { valid: false, reason: 'signature_mismatch' };
  const signedAt = Number(signed.timestamp) * SECOND;
  return Math.abs(now - signedAt) <= tolerance
    ? { valid: true, signedAt }
    : { valid: false, reason: 'timestamp_outside_tolerance' };
};

const HEADER = /^t=(0|[1-9]\d{0,11})((?:,v1=[0-9a-f]{64})+)$/;

/** The timestamp and the signatures in the header; undefined if it is malformed. */
export const signaturesIn = (header: string) => {
  const [, timestamp, signatures] = HEADER.exec(header) ?? [];
  if (timestamp === undefined || signatures === undefined) return undefined;
  const hex = signatures.split(',v1=').slice(1);
  return { timestamp, signatures: hex.map((digits) => Buffer.from(digits, 'hex')) };
};
