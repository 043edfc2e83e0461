import { randomUUID } from 'node:crypto';
import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ERROR_CATALOGUE, errorBody, hasBody, sendError, unreadable } from '#http';
import { DomainError, type Logger } from '#kernel';
import type { Metrics } from '#observability';
import type { Connections } from './connections.js';
import { headersOfEveryAnswer } from './response-headers.js';

/** D99: bytes of the request target, and of all header fields together. */
export const MAX_HEADER_BYTES = 16 * 1024;

/** Bytes of the request line and header fields that Node's parser reads; enough for anything within both limits. */
export const MAX_PARSED_BYTES = 3 * MAX_HEADER_BYTES;

/** The colon, the blank after it and the line break. */
const BYTES_BETWEEN = 4;

/** The refusal of a request whose target or header fields are too long, as Node has read them: one unit is one byte. */
export const refusalOfLength = (target: string, rawHeaders: readonly string[]): DomainError | undefined => {
  if (target.length > MAX_HEADER_BYTES) return new DomainError('uri_too_long');
  let bytes = (rawHeaders.length / 2) * BYTES_BETWEEN;
  for (const text of rawHeaders) bytes += text.length;
  return bytes > MAX_HEADER_BYTES ? new DomainError('request_header_fields_too_large') : undefined;
};

/**
 * The same for a request that was too long for Node's parser. `isBeginning`: these bytes are the first of their
 * connection, so their first line is the request line. Otherwise a long target and a long field look the same.
 */
const refusalOfOverflow = (bytes: Buffer, isBeginning: boolean): DomainError => {
  const lineEnd = bytes.indexOf('\n');
  const isLongLine = lineEnd === -1 || lineEnd > MAX_HEADER_BYTES;
  return new DomainError(isBeginning && isLongLine ? 'uri_too_long' : 'request_header_fields_too_large');
};

const TIMED_OUT = 'ERR_HTTP_REQUEST_TIMEOUT';
const OVERFLOW = 'HPE_HEADER_OVERFLOW';

/** The error of a `clientError` event. `rawPacket` holds the bytes that the parser could not use. */
interface ClientError extends Error {
  readonly code?: string;
  readonly rawPacket?: Buffer;
}

/** Invalid HTTP, and requests that take too long (D69). The answer is the last one of its connection (D4). */
export class BrokenRequests {
  private readonly waiting = new WeakMap<
    IncomingMessage,
    { readonly request: FastifyRequest; readonly reply: FastifyReply }
  >();

  constructor(
    private readonly connections: Pick<Connections, 'lastResponse' | 'isClosing' | 'closeAfterAnswer' | 'sending'>,
    private readonly logger: Logger,
    private readonly metrics: Pick<Metrics, 'request'>,
  ) {}

  watch(fastify: FastifyInstance): void {
    fastify.addHook('onRequest', (request, reply, done) => {
      const { socket } = request.raw;
      // Data after the last answer, or after the connection was closed, is not handled.
      if (socket.destroyed || this.connections.isClosing(socket)) {
        reply.hijack();
        return;
      }
      if (hasBody(request.headers)) this.waiting.set(request.raw, { request, reply });
      done();
    });
    fastify.addHook('onSend', ({ raw }, reply, payload, done) => {
      this.connections.sending(reply.raw, payload);
      // D69: the next bytes would be the rest of a body that nobody reads.
      if (!raw.complete) {
        reply.header('connection', 'close');
        this.connections.closeAfterAnswer(raw.socket);
      }
      done();
    });
  }

  refuse(error: ClientError, socket: Socket): void {
    const isLate = error.code === TIMED_OUT;
    // D69: no byte of a request has arrived, so the connection ends like an idle one.
    if (isLate && socket.bytesRead === 0) return;
    if (this.connections.isClosing(socket) || !socket.writable) {
      socket.destroy();
      return;
    }
    const refusal = refusalOf(error, socket.bytesRead);
    const last = this.connections.lastResponse(socket);
    if (last === undefined) {
      this.end(socket, refusal);
      return;
    }
    if (last.req.complete) {
      // The invalid bytes came after a request that is still being answered.
      last.once('finish', () => this.end(socket, refusal));
      return;
    }
    const broken = this.waiting.get(last.req);
    if (broken === undefined || last.headersSent) {
      socket.destroySoon();
      return;
    }
    sendError(refusal, broken.request, broken.reply, this.logger);
  }

  refuseTunnel(socket: Socket): void {
    this.end(socket, new DomainError('not_found'));
  }

  private end(socket: Socket, refusal: DomainError): void {
    if (!socket.writable) return;
    const requestId = randomUUID();
    const { status } = ERROR_CATALOGUE[refusal.code];
    const body = JSON.stringify(errorBody(refusal, requestId));
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      ...headersOfEveryAnswer(requestId),
      connection: 'close',
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    socket.write([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n'));
    this.connections.closeAfterAnswer(socket);
    socket.destroySoon();
    this.metrics.request('none', 'none', status, 0);
    this.logger.info({ request_id: requestId, method: null, route: null, status }, 'request');
  }
}

const refusalOf = (error: ClientError, bytesRead: number): DomainError => {
  if (error.code === TIMED_OUT) return new DomainError('request_timeout');
  const { rawPacket } = error;
  if (error.code !== OVERFLOW || rawPacket === undefined) return unreadable(error);
  return refusalOfOverflow(rawPacket, rawPacket.length === bytesRead);
};
