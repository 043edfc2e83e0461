import { type Duration, type Instant, MINUTE, SECOND } from '#kernel';
import type { SigningKey } from './signing-key.js';

/** How far the time of a signature may be from a receiver's clock. */
const TOLERANCE: Duration = 5 * MINUTE;

export type CheckVerdict = 'valid' | 'clock' | 'bytes' | 'older_secret' | 'unknown_secret';

/** A signature as it was received. */
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

/**
 * Why a receiver may have refused a request: compares its signature with those of the service's own bytes. Different
 * bytes come first, as no other fault can be seen then.
 */
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
