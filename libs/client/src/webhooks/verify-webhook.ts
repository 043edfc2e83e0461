import type { AnyEvent } from '../events/known-event.js';
import { WebhookVerificationError } from './errors.js';
import { type HeadersLike, headerOf } from './headers.js';
import { bytesOf, isRequest, type WebhookBody } from './raw-body.js';
import { type SigningSecret, signaturesOf, signingSecrets } from './secrets.js';
import { readStandardHeaders, readSvcHeader, type Signatures } from './signatures.js';

export interface VerifyWebhookOptions {
  /** Seconds by which the time of the signature may differ from the receiver's clock; default: 300. */
  readonly tolerance?: number | undefined;
}

const DEFAULT_TOLERANCE = 300;

/**
 * The event of a delivery, if one of the secrets has signed it: the headers `X-SVC-Signature`, those of Standard
 * Webhooks, or both, which have to hold both. Throws a `WebhookVerificationError` if not.
 *
 * @param body The raw body as text or bytes, before anything has parsed it, or the `Request` that has it.
 * @param headers The headers of the request; may be left out for a `Request`.
 * @param secrets The endpoint's secret as it was shown, `whsec_…`; during a rotation the new and the old one.
 */
export const verifyWebhook = async (
  body: WebhookBody,
  headers: HeadersLike | undefined,
  secrets: string | readonly string[],
  { tolerance = DEFAULT_TOLERANCE }: VerifyWebhookOptions = {},
): Promise<AnyEvent> => {
  const known = signingSecrets(secrets);
  const given = headers ?? (isRequest(body) ? body.headers : {});
  const sets = signatureSets(given, known);
  const bytes = await bytesOf(body);
  for (const set of sets) await requireSigned(set, bytes, known);
  // Only after a match, so that an error of time is one of the clock, or a late repeat.
  for (const { timestamp } of sets) requireRecent(timestamp, tolerance);
  return JSON.parse(new TextDecoder().decode(bytes)) as AnyEvent;
};

/** The sets of headers that one of the secrets can have signed. One of the earlier form signs `X-SVC-Signature` only. */
const signatureSets = (headers: HeadersLike, secrets: readonly SigningSecret[]): readonly Signatures[] => {
  const svc = headerOf(headers, 'x-svc-signature');
  const standard = headerOf(headers, 'webhook-signature');
  const canBeStandard = secrets.some(({ standardKey }) => standardKey !== undefined);
  const sets = [
    ...(svc === undefined ? [] : [readSvcHeader(svc)]),
    ...(standard === undefined || (svc !== undefined && !canBeStandard)
      ? []
      : [readStandardHeaders(standard, headers)]),
  ];
  if (sets.length > 0) return sets;
  throw new WebhookVerificationError(
    'signature_missing',
    'The request has no X-SVC-Signature and no webhook-signature. Pass the headers as they arrived.',
  );
};

const requireSigned = async (set: Signatures, body: Uint8Array, secrets: readonly SigningSecret[]): Promise<void> => {
  const expected = await signaturesOf(set, body, secrets);
  // Compares all with all, so that the time does not reveal which one was close.
  const matches = expected.flatMap((own) => set.signatures.map((theirs) => isEqual(own, theirs)));
  if (matches.includes(true)) return;
  throw new WebhookVerificationError(
    'signature_mismatch',
    `No secret has signed this body (${set.header}). Check that the secret is that of this endpoint, and that the body is the one that arrived, not one that was parsed and written again.`,
  );
};

/** In a time that depends on the lengths only. */
const isEqual = (own: Uint8Array, theirs: Uint8Array): boolean => {
  let difference = own.length ^ theirs.length;
  for (const [at, byte] of own.entries()) difference |= byte ^ Number(theirs[at]);
  return difference === 0;
};

const requireRecent = (timestamp: string, tolerance: number): void => {
  const age = Math.floor(Date.now() / 1_000) - Number(timestamp);
  if (Math.abs(age) <= tolerance) return;
  const difference = age > 0 ? `${age} seconds before` : `${-age} seconds after`;
  throw new WebhookVerificationError(
    'timestamp_outside_tolerance',
    `The delivery was signed ${difference} the time of this clock. Check the clock; an old delivery may be a repeat by somebody else.`,
  );
};
