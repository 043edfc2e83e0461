import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { DomainError } from '#kernel';
import { parseJsonBody } from './json-text.js';

/** D6: in bytes, also for chunked bodies. */
const MAX_BODY_BYTES = 16_384;

const JSON_TYPE = 'application/json';
/** ASCII is UTF-8. */
const UTF_8 = /^charset=("?)(?:utf-?8|us-ascii)\1$/;
const MAX_SHOWN = 100;

export const hasBody = (headers: IncomingHttpHeaders): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** D8: GET, HEAD and DELETE take none. */
export const takesBody = (method: string): boolean => method !== 'GET' && method !== 'HEAD' && method !== 'DELETE';

/** Reads only JSON: other media types and encodings are 415, larger bodies 413. */
export const acceptJson = (
  fastify: FastifyInstance,
  checkHeaders: (request: FastifyRequest) => Promise<void>,
): void => {
  // Nobody waits for a body that the guard refuses (D8).
  fastify.addHttpMethod('DELETE', { overrideExisting: true, hasBody: false });
  const waiting = clientsThatWait(fastify);
  fastify.addHook('preParsing', (request, reply, _payload, done) => {
    const { raw, method } = request;
    const { headers } = raw;
    const isChunked = headers['transfer-encoding'] !== undefined;
    const isWaiting = waiting.has(raw);
    const refusal = isWaiting || !isChunked ? refusalByHeaders(method, headers) : undefined;
    if (refusal !== undefined) return done(refusal);
    const proceed = () => {
      if (!isChunked) {
        if (!hasBody(headers) && headers['content-type'] !== undefined) forgetBody(headers);
        return done();
      }
      whenBodyBegins(raw, (isEmpty) => {
        if (isEmpty) forgetBody(headers);
        done(refusalByHeaders(method, headers));
      });
    };
    if (!isWaiting || !(isChunked || takesBody(method))) return proceed();
    checkHeaders(request).then(() => {
      reply.raw.writeContinue();
      proceed();
    }, done);
  });
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser(JSON_TYPE, { parseAs: 'buffer', bodyLimit: MAX_BODY_BYTES }, (_, bytes, done) =>
    done(null, parseJsonBody(bytes as Buffer)),
  );
};

/** D99: the requests with `Expect: 100-continue`. They need not send a body that the headers already refuse. */
const clientsThatWait = ({ server }: FastifyInstance): WeakSet<IncomingMessage> => {
  const waiting = new WeakSet<IncomingMessage>();
  server.on('checkContinue', (request, response) => {
    waiting.add(request);
    server.emit('request', request, response);
  });
  return waiting;
};

const refusalByHeaders = (method: string, headers: IncomingHttpHeaders): DomainError | undefined => {
  // A GET takes no body at all, which the guard refuses as 400 (D8).
  if (!hasBody(headers) || method === 'GET' || method === 'HEAD') return undefined;
  if (Number(headers['content-length'] ?? 0) > MAX_BODY_BYTES) return new DomainError('payload_too_large');
  const says = typeProblem(headers);
  return says === undefined ? undefined : new DomainError('unsupported_media_type', { says });
};

/** D116. JSON is UTF-8, so a body that names another charset would be read as other text. */
const typeProblem = ({ 'content-encoding': encoding, 'content-type': given }: IncomingHttpHeaders) => {
  if (encoding !== undefined) {
    return `The request body must not be encoded, but its Content-Encoding is ${encoding.slice(0, MAX_SHOWN)}.`;
  }
  if (given === undefined) return `Expected ${JSON_TYPE} but got no Content-Type.`;
  const [type = '', ...parameters] = given.split(';').map((part) => part.trim());
  if (type.toLowerCase() !== JSON_TYPE) return `Expected ${JSON_TYPE} but got ${type.slice(0, MAX_SHOWN)}.`;
  const other = parameters.find((each) => /^charset=/i.test(each) && !UTF_8.test(each.toLowerCase()));
  return other === undefined ? undefined : `Expected JSON in UTF-8 but got ${other.slice(0, MAX_SHOWN)}.`;
};

/** D8: a body of zero bytes is no body, however it is framed, and its Content-Type says nothing. */
const forgetBody = (headers: IncomingHttpHeaders): void => {
  delete headers['transfer-encoding'];
  delete headers['content-type'];
};

/** Calls back when the first bytes of a chunked body, its end, or the end of the connection have arrived. */
const whenBodyBegins = (request: IncomingMessage, then: (isEmpty: boolean) => void): void => {
  const settle = (isEmpty: boolean) => {
    request.off('readable', look).off('end', ended).off('close', broken);
    then(isEmpty);
  };
  const look = () => {
    const bytes: unknown = request.read();
    if (bytes === null) return;
    request.off('readable', look);
    request.unshift(bytes);
    settle(false);
  };
  const ended = () => settle(true);
  const broken = () => settle(false);
  request.on('readable', look).once('end', ended).once('close', broken);
};
