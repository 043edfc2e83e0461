import { knownError } from '../errors.js';

export type WebhookProblem =
  | 'body_not_read'
  | 'body_parsed'
  | 'secret_missing'
  | 'signature_missing'
  | 'signature_malformed'
  | 'signature_mismatch'
  | 'timestamp_outside_tolerance';

/** The delivery could not be verified: answer it with 401. The message says what to do. */
export class WebhookVerificationError extends Error {
  static {
    knownError(WebhookVerificationError, 'WebhookVerificationError');
  }

  constructor(
    readonly code: WebhookProblem,
    message: string,
  ) {
    super(message);
  }
}

/** The two keys of a secret: its text as shown, and the 32 bytes that it encodes, which the earlier form lacks. */
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

/** Accepts a secret without the prefix too, like other Standard Webhooks libraries. The padding marks the form. */
const encodedIn = (secret: string): Uint8Array<ArrayBuffer> | undefined => {
  const base64 = secret.replace(/^whsec_/, '');
  return /^[A-Za-z0-9+/]{43}=$/.test(base64) ? fromBase64(base64) : undefined;
};

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

/** Headers in the forms of `fetch`, Node, Express, Fastify, Nest and serverless platforms. */
export type HeadersLike = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export const headerOf = (headers: HeadersLike, name: string): string | undefined => {
  if (isHeaders(headers)) return headers.get(name) ?? undefined;
  const [, value] = Object.entries(headers).find(([key]) => key.toLowerCase() === name) ?? [];
  return typeof value === 'object' ? value.join(',') : value;
};

/** Not checked by class: a framework may have another one. */
const isHeaders = (headers: HeadersLike): headers is Headers => typeof headers.get === 'function';

/** The signed text and its signatures, from one set of headers. */
export interface Signatures {
  readonly scheme: 'svc' | 'standard';
  readonly header: string;
  /** Epoch seconds, in digits. */
  readonly timestamp: string;
  /** The part of the signed text before the body. */
  readonly prefix: string;
  readonly signatures: readonly Uint8Array[];
}

/** `t=<seconds>,v1=<hex>[,v1=<hex>]`; other members belong to future schemes. */
export const readSvcHeader = (value: string): Signatures => {
  const members = value.split(',').map((member) => member.trim());
  const times = members.filter((member) => member.startsWith('t='));
  const hex = members.filter((member) => /^v1=[0-9a-f]{64}$/.test(member));
  const [timestamp] = times.map((time) => time.slice(2));
  if (timestamp === undefined || times.length > 1 || !isTime(timestamp) || hex.length === 0)
    throw malformed('X-SVC-Signature');
  const signatures = hex.map((member) => fromHex(member.slice(3)));
  return { scheme: 'svc', header: 'X-SVC-Signature', timestamp, prefix: `${timestamp}.`, signatures };
};

/** `webhook-id`, `webhook-timestamp`, and `webhook-signature`: `v1,<base64>[ v1,<base64>]`. */
export const readStandardHeaders = (value: string, headers: HeadersLike): Signatures => {
  const [id, timestamp] = [headerOf(headers, 'webhook-id'), headerOf(headers, 'webhook-timestamp')];
  const base64 = value.split(' ').filter((signature) => /^v1,[A-Za-z0-9+/]{43}=$/.test(signature));
  if (id === undefined || timestamp === undefined || !isTime(timestamp) || base64.length === 0)
    throw malformed('webhook-signature');
  const signatures = base64.map((signature) => fromBase64(signature.slice(3)));
  return { scheme: 'standard', header: 'webhook-signature', timestamp, prefix: `${id}.${timestamp}.`, signatures };
};

const isTime = (text: string): boolean => /^\d{1,12}$/.test(text);

export const fromBase64 = (base64: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));

const fromHex = (hex: string): Uint8Array =>
  Uint8Array.from({ length: 32 }, (_, at) => Number.parseInt(hex.slice(2 * at, 2 * at + 2), 16));

const malformed = (header: string): WebhookVerificationError =>
  new WebhookVerificationError('signature_malformed', `${header} cannot be read. Pass the headers as they arrived.`);
