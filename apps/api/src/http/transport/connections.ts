import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type Duration, SECOND } from '#kernel';

/** A stream reads one chunk of a file ahead of its client. */
const STREAM_BYTES = 64 * 1024;

/** Large answers that clients have not read yet. Their total size is limited. */
export class UnreadAnswers {
  private readonly held = new Map<ServerResponse, number>();
  private bytes = 0;

  constructor(private readonly maxBytes: number) {}

  add(response: ServerResponse, bytes: number): void {
    this.remove(response);
    this.held.set(response, bytes);
    this.bytes += bytes;
    // A client that reads gets its answer quickly, so the oldest answers are those that nobody reads.
    for (const [longest] of this.held) {
      if (this.bytes <= this.maxBytes || longest === response) return;
      this.remove(longest);
      longest.req.socket.destroy();
    }
  }

  remove(response: ServerResponse): void {
    const bytes = this.held.get(response);
    if (bytes === undefined) return;
    this.held.delete(response);
    this.bytes -= bytes;
  }

  /** The connection has ended, and with it all answers that were waiting on it. */
  removeOf(socket: Socket): void {
    if (this.held.size === 0) return;
    for (const [response] of this.held) if (response.req.socket === socket) this.remove(response);
  }
}

export const bytesOf = (payload: unknown): number => {
  if (typeof payload === 'string' || Buffer.isBuffer(payload)) return Buffer.byteLength(payload);
  return payload === undefined || payload === null ? 0 : STREAM_BYTES;
};

export interface ConnectionLimits {
  /** From the first byte of a request to its last, and from the end of an answer until the client has read it. */
  readonly requestTimeout: Duration;
  readonly idleTimeout: Duration;
  /** How often both are checked. */
  readonly checkInterval: Duration;
  /** The most open connections. A new one closes the one that has been idle or blocked by unread data for longest. */
  readonly maxConnections: number;
  /** The most bytes of answers that clients have not read. Above that, the connection of the oldest is closed. */
  readonly maxUnreadBytes: number;
}

/** D69: a request arrives within 30 seconds, an idle connection ends after 75. */
export const CONNECTION_LIMITS: ConnectionLimits = {
  requestTimeout: 30 * SECOND,
  idleTimeout: 75 * SECOND,
  checkInterval: SECOND,
  maxConnections: 4_096,
  maxUnreadBytes: 64 * 1024 * 1024,
};

/** How many requests of one connection may wait for their answers; hardly any client pipelines. */
export const MAX_PIPELINED = 8;
/** How long data that arrives after the last answer is read and dropped, in milliseconds. */
const LINGER: Duration = SECOND;

/** Smaller answers are bounded by the number of connections and requests. */
const LARGE = 4_096;

type AnsweredListener = (this: ServerResponse) => void;

interface Connection {
  /** When the connection was opened, or its last answer was sent. */
  idleSince: number;
  bytesRead: number;
  pending: number;
  last: ServerResponse | undefined;
  bytesWritten: number;
  /** Since when the client has not read its answer, as of the last check. */
  unreadSince: number | undefined;
}

/**
 * The connections of the server. Node closes late requests, and connections that are idle after an answer. This class
 * closes what Node leaves open: connections that never send a request, send only line breaks between requests, or do
 * not read their answers; and, above the limit, the connection that has been idle longest.
 *
 * State that lives as long as a connection avoids references to requests: a reference makes the garbage collector copy
 * the request with all its objects, which costs a fifth of a short request.
 */
export class Connections {
  private readonly open = new Map<Socket, Connection>();
  private readonly closing = new WeakSet<Socket>();
  private readonly unread: UnreadAnswers;

  constructor(
    server: Server,
    private readonly limits: ConnectionLimits,
  ) {
    this.unread = new UnreadAnswers(limits.maxUnreadBytes);
    server.on('connection', (socket) => this.opened(socket));
    const answered = this.answeredListener();
    server.prependListener('request', (request, response) => this.requested(request, response, answered));
    const timer = setInterval(() => this.check(performance.now()), limits.checkInterval).unref();
    server.once('close', () => clearInterval(timer));
  }

  lastResponse(socket: Socket): ServerResponse | undefined {
    return this.open.get(socket)?.last;
  }

  /** Whether its last answer has been sent; further data is not handled. */
  isClosing(socket: Socket): boolean {
    return this.closing.has(socket);
  }

  /** Node closes the connection with bytes unread, which may lose the answer; this reads them for a moment first. */
  closeAfterAnswer(socket: Socket): void {
    if (this.closing.has(socket)) return;
    this.closing.add(socket);
    socket.destroySoon = () => {
      socket.end();
      socket.resume();
      setTimeout(() => socket.destroy(), LINGER).unref();
    };
  }

  /** An answer is about to be sent. While it is unread, it is kept together with its request. */
  sending(response: ServerResponse, payload: unknown): void {
    const bytes = sizeOfRequest(response.req) + bytesOf(payload);
    if (bytes >= LARGE && !response.req.socket.destroyed) this.unread.add(response, bytes);
  }

  private opened(socket: Socket): void {
    const { open } = this;
    open.set(socket, {
      idleSince: performance.now(),
      bytesRead: 0,
      pending: 0,
      last: undefined,
      bytesWritten: 0,
      unreadSince: undefined,
    });
    // Node removes its own listener from the socket of a CONNECT; a reset would then end the process.
    socket.on('error', () => undefined);
    socket.once('close', () => {
      open.delete(socket);
      this.unread.removeOf(socket);
    });
    if (open.size > this.limits.maxConnections) this.closeLongestUnused();
  }

  private requested({ socket }: IncomingMessage, response: ServerResponse, answered: AnsweredListener): void {
    const connection = this.open.get(socket);
    if (connection === undefined) return;
    connection.pending++;
    connection.last = response;
    if (connection.pending > MAX_PIPELINED) socket.destroy();
    response.on('close', answered);
  }

  /** One function serves all answers; `this` is the answer. */
  private answeredListener(): AnsweredListener {
    const { open, unread } = this;
    return function (this: ServerResponse) {
      const { socket } = this.req;
      unread.remove(this);
      const connection = open.get(socket);
      if (connection === undefined || --connection.pending > 0) return;
      connection.last = undefined;
      connection.unreadSince = undefined;
      connection.idleSince = performance.now();
      connection.bytesRead = socket.bytesRead;
    };
  }

  /** A connection with a request in progress is not closed; the newest one is the last choice. */
  private closeLongestUnused(): void {
    let longest: Socket | undefined;
    let since = Number.POSITIVE_INFINITY;
    for (const [socket, { pending, idleSince, unreadSince }] of this.open) {
      const unused = pending === 0 ? idleSince : unreadSince;
      if (unused === undefined || unused >= since) continue;
      longest = socket;
      since = unused;
    }
    if (longest !== undefined) this.cut(longest);
  }

  private check(now: number): void {
    for (const [socket, connection] of this.open) {
      const isOver =
        connection.pending > 0 ? this.isUnread(socket, connection, now) : this.isIdle(socket, connection, now);
      if (isOver) this.cut(socket);
    }
  }

  /** Its 'close' comes later, and until then it would be chosen again. */
  private cut(socket: Socket): void {
    this.open.delete(socket);
    socket.destroy();
  }

  /** A connection with a request has the time limit of a request, which Node measures. Line breaks begin none. */
  private isIdle(socket: Socket, { idleSince, bytesRead }: Connection, now: number): boolean {
    const { idleTimeout, requestTimeout, checkInterval } = this.limits;
    const time = now - idleSince;
    if (time < idleTimeout) return false;
    return socket.bytesRead === bytesRead || time > idleTimeout + requestTimeout + 2 * checkInterval;
  }

  /** A stream has no end until its client reads, so it counts as unread if bytes wait and none is read. */
  private isUnread(socket: Socket, connection: Connection, now: number): boolean {
    const { bytesWritten } = socket;
    const isStuck = socket.writableLength > 0 && bytesWritten === connection.bytesWritten;
    connection.bytesWritten = bytesWritten;
    const isUnread = isStuck || connection.last?.writableEnded === true;
    connection.unreadSince = isUnread ? (connection.unreadSince ?? now) : undefined;
    return connection.unreadSince !== undefined && now - connection.unreadSince > this.limits.requestTimeout;
  }
}

const sizeOfRequest = ({ url = '', rawHeaders }: IncomingMessage): number => {
  let bytes = url.length;
  for (const text of rawHeaders) bytes += text.length;
  return bytes;
};
