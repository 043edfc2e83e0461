import { WebhookVerificationError } from './errors.js';

const HOW_TO_KEEP_IT =
  "In Express, use express.raw({ type: 'application/json' }) for this route, before any express.json(); in Fastify, a content type parser with parseAs: 'buffer'; in Nest, the option rawBody: true and request.rawBody; elsewhere, await request.text().";

/** The bytes that were signed. */
export const bytesOf = async (body: string | Uint8Array | Request): Promise<Uint8Array<ArrayBuffer>> => {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  if (ArrayBuffer.isView(body)) return Uint8Array.from(body);
  if (isRequest(body)) {
    if (body.bodyUsed) throw parsed('The body of the request has been read already.');
    return new Uint8Array(await body.arrayBuffer());
  }
  throw parsed(body === undefined ? 'There is no body.' : 'The body has been parsed already.');
};

/** Not by its class: a framework may have another one. */
export const isRequest = (body: unknown): body is Request =>
  typeof body === 'object' && body !== null && 'arrayBuffer' in body && typeof body.arrayBuffer === 'function';

const parsed = (problem: string): WebhookVerificationError =>
  new WebhookVerificationError('body_parsed', `${problem} Pass the raw bytes, which were signed. ${HOW_TO_KEEP_IT}`);
