import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { DomainError } from '#kernel';

/** D6: in bytes, also for chunked bodies. */
export const MAX_BODY_BYTES = 16_384;

/** A body that is not JSON. It is refused only after the checks of key and scope (D1). */
export class UnreadableBody {
  constructor(readonly message: string) {}
}

const decoder = new TextDecoder('utf-8', { fatal: true });

/** The JSON text as it was sent, for what needs the exact input. */
export const parseJsonBody = (bytes: Buffer): unknown => {
  if (bytes.length === 0) return new UnreadableBody('must be a JSON object');
  try {
    return JSON.parse(decoder.decode(bytes));
  } catch {
    return new UnreadableBody('must be valid JSON in UTF-8');
  }
};

/** Whether the headers announce a body that is not empty. */
export const hasBody = (headers: IncomingHttpHeaders): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Reads only JSON: other media types and encodings are 415, larger bodies 413. */
export const acceptJson = (fastify: FastifyInstance): void => {
  fastify.addHook('preParsing', ({ method, headers }, _reply, _payload, done) => {
    // D73: a GET takes no body at all (D8).
    const isEncoded = method !== 'GET' && headers['content-encoding'] !== undefined && hasBody(headers);
    done(isEncoded ? new DomainError('unsupported_media_type') : null);
  });
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('application/json', { parseAs: 'buffer', bodyLimit: MAX_BODY_BYTES }, (_, bytes, done) =>
    done(null, parseJsonBody(bytes as Buffer)),
  );
};
