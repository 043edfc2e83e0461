import { randomUUID } from 'node:crypto';
import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ERROR_CATALOGUE, errorBody, hasBody, sendError, unreadable } from '#http';
import { DomainError, type Logger } from '#kernel';
import type { Metrics } from '#observability';
import type { Connections } from './connections.js';
import { refusalOfOverflow } from './request-length.js';
import { headersOfEveryAnswer } from './response-headers.js';

const TIMED_OUT = 'ERR_HTTP_REQUEST_TIMEOUT';
const OVERFLOW = 'HPE_HEADER_OVERFLOW';

/** Of a `clientError` event. `rawPacket` holds the bytes that its parser could not use. */
interface ClientError extends Error {
  readonly code?: string;
  readonly rawPacket?: Buffer;
}

/** Invalid HTTP, and requests that take too long (D69). The answer is the last one of its connection (D4). */
export class BrokenRequests {
  /** Requests whose body has not arrived yet. */
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
      // Data after the last answer, or before the connection was closed, is not handled.
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
    // D69: no byte of a request has arrived, so the connection ends as an idle one.
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

  /** `CONNECT` is for proxies. */
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
