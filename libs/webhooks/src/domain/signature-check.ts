import { type Duration, type Instant, SECOND } from '#kernel';
import { SIGNATURE_TOLERANCE, signaturesIn } from './signature.js';
import type { SigningKey } from './signing-key.js';

export type CheckVerdict = 'valid' | 'clock' | 'bytes' | 'older_secret' | 'unknown_secret';

export interface CheckedRequest {
  /** The header `X-SVC-Signature` as received. */
  readonly signature: string;
  /** Whether the received bytes are those that were sent. */
  readonly hasSameBytes: boolean;
}

export interface CheckResult {
  readonly verdict: CheckVerdict;
  /** How long ago it was signed; negative for the future. */
  readonly age: Duration;
}

/**
 * Why a receiver may have refused a request: compares its signature with those of the service's own bytes. Different
 * bytes come first, as no other fault can be seen then; undefined for a header without a signature.
 */
export const checkSignature = (
  { signature, hasSameBytes }: CheckedRequest,
  body: Uint8Array,
  keys: { readonly inForce: readonly SigningKey[]; readonly replaced: readonly SigningKey[] },
  now: Instant,
): CheckResult | undefined => {
  const signed = signaturesIn(signature);
  if (signed === undefined) return undefined;
  const age = now - Number(signed.timestamp) * SECOND;
  const hasSigned = (key: SigningKey) =>
    signed.signatures.some((bytes) => bytes.toString('hex') === key.sign(signed.timestamp, body));
  const verdict = (): CheckVerdict => {
    if (!hasSameBytes) return 'bytes';
    if (keys.inForce.some(hasSigned)) return Math.abs(age) <= SIGNATURE_TOLERANCE ? 'valid' : 'clock';
    return keys.replaced.some(hasSigned) ? 'older_secret' : 'unknown_secret';
  };
  return { verdict: verdict(), age };
};
