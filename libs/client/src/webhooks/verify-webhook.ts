import type { AnyEvent } from '../events/known-event.js';
import {
  type HeadersLike,
  headerOf,
  readStandardHeaders,
  readSvcHeader,
  type Signatures,
  type SigningSecret,
  signaturesOf,
  signingSecrets,
  type WebhookProblem,
  WebhookVerificationError,
} from './signatures.js';

export type WebhookBody = string | ArrayBufferLike | ArrayBufferView | Request;

const HOW_TO_KEEP_IT =
  "In Express, use express.raw({ type: 'application/json' }) for this route, before any express.json(); in Fastify, a content type parser with parseAs: 'buffer'; in Nest, the option rawBody: true and request.rawBody; elsewhere, await request.text().";

const bytesOf = async (body: WebhookBody): Promise<Uint8Array<ArrayBuffer>> => {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength).slice();
  if (isBuffer(body)) return new Uint8Array(body).slice();
  if (!isRequest(body)) throw notRaw(body);
  if (body.bodyUsed) throw refused('body_parsed', 'The body of the request has been read already.');
  return new Uint8Array(await body.arrayBuffer());
};

/** Not checked by class, as below: a framework or a test runner may have another one. */
const isRequest = (body: unknown): body is Request => has(body, 'arrayBuffer');

const isBuffer = (body: unknown): body is ArrayBufferLike =>
  /^\[object (?:Shared)?ArrayBuffer\]$/.test(Object.prototype.toString.call(body));

const has = (body: unknown, method: string): boolean => typeof Object(body)[method] === 'function';

const notRaw = (body: unknown): WebhookVerificationError => {
  if (has(body, 'then')) return refused('body_not_read', 'The body is a promise: await it.');
  if (has(body, 'pipe') || has(body, 'getReader')) return refused('body_not_read', 'The body is a stream: read it.');
  return refused('body_parsed', body === undefined ? 'There is no body.' : 'The body has been parsed already.');
};

const refused = (code: WebhookProblem, problem: string): WebhookVerificationError =>
  new WebhookVerificationError(code, `${problem} Pass the raw bytes, which were signed. ${HOW_TO_KEEP_IT}`);

export interface VerifyWebhookOptions {
  /** How many seconds the time of the signature may differ from the receiver's clock; default: 300. */
  readonly tolerance?: number | undefined;
}

const DEFAULT_TOLERANCE = 300;

/**
 * Returns the event of a delivery if one of the secrets has signed it. Checks the header `X-SVC-Signature`, those of
 * Standard Webhooks, or both if both are present. Throws a `WebhookVerificationError` otherwise.
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
  // Only after a match, so that a time error means a wrong clock or a late repeat.
  for (const { timestamp } of sets) requireRecent(timestamp, tolerance);
  return JSON.parse(new TextDecoder().decode(bytes)) as AnyEvent;
};

/** The sets of headers that one of the secrets can have signed. The earlier form signs only `X-SVC-Signature`. */
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
    `None of the secrets signed this body (${set.header}). Check that the secret belongs to this endpoint, and that the body is the one that arrived, not one that was parsed and serialized again.`,
  );
};

/** In a time that depends only on the lengths. */
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
    `The delivery was signed ${difference} the time of this clock. Check the clock; an old delivery may have been replayed by somebody else.`,
  );
};
