import { WebhookVerificationError } from './errors.js';
import { type HeadersLike, headerOf } from './headers.js';

/** What a set of headers says was signed, and by which signatures. */
export interface Signatures {
  readonly scheme: 'svc' | 'standard';
  readonly header: string;
  /** Epoch seconds, in digits. */
  readonly timestamp: string;
  /** The signed text before the body. */
  readonly prefix: string;
  readonly signatures: readonly Uint8Array[];
}

/** `t=<seconds>,v1=<hex>[,v1=<hex>]`; other members are of schemes to come. */
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

/** Of 64 digits. */
const fromHex = (hex: string): Uint8Array =>
  Uint8Array.from({ length: 32 }, (_, at) => Number.parseInt(hex.slice(2 * at, 2 * at + 2), 16));

const malformed = (header: string): WebhookVerificationError =>
  new WebhookVerificationError('signature_malformed', `${header} cannot be read. Pass the headers as they arrived.`);
