import { type WebhookProblem, WebhookVerificationError } from './errors.js';

export type WebhookBody = string | ArrayBufferLike | ArrayBufferView | Request;

const HOW_TO_KEEP_IT =
  "In Express, use express.raw({ type: 'application/json' }) for this route, before any express.json(); in Fastify, a content type parser with parseAs: 'buffer'; in Nest, the option rawBody: true and request.rawBody; elsewhere, await request.text().";

/** The bytes that were signed. */
export const bytesOf = async (body: WebhookBody): Promise<Uint8Array<ArrayBuffer>> => {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength).slice();
  if (isBuffer(body)) return new Uint8Array(body).slice();
  if (!isRequest(body)) throw notRaw(body);
  if (body.bodyUsed) throw refused('body_parsed', 'The body of the request has been read already.');
  return new Uint8Array(await body.arrayBuffer());
};

/** Not by its class, as below: a framework or a test runner may have another one. */
export const isRequest = (body: unknown): body is Request => has(body, 'arrayBuffer');

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
