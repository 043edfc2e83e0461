import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, TLSSocket } from 'node:tls';

export interface Received {
  /** Request line and header fields as they came, without the line breaks. */
  readonly head: readonly string[];
  readonly body: Buffer;
}

/** The reaction to a request: anything that a socket can do, be it HTTP or not. */
export type Reaction = (socket: Socket, received: Received) => void;

/** A receiver that reads requests as HTTP/1.1 and answers by hand, so that it can misbehave in every way. */
export class Receiver {
  readonly requests: Received[] = [];
  connections = 0;
  /** The parameters that each TLS client asked for. */
  readonly handshakes: { readonly servername: unknown; readonly protocol: unknown; readonly resumed: boolean }[] = [];
  /** If set: sent to each client that connects; then the connection is closed. */
  greeting: string | undefined;
  reaction: Reaction = answering('HTTP/1.1 204 No Content', '');
  private readonly sockets = new Set<Socket>();

  private constructor(private readonly server: Server) {}

  static async start(
    host = '127.0.0.1',
    identity?: { readonly key: string; readonly cert: string },
  ): Promise<Receiver> {
    const server =
      identity === undefined ? createServer() : createTlsServer({ ...identity, ALPNProtocols: ['h2', 'http/1.1'] });
    const receiver = new Receiver(server);
    server.on(identity === undefined ? 'connection' : 'secureConnection', (socket: Socket) => receiver.serve(socket));
    await once(server.listen(0, host), 'listening');
    return receiver;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get isListening(): boolean {
    return this.server.listening;
  }

  /** Sockets that are open now. */
  get open(): number {
    return this.sockets.size;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((closed) => this.server.close(closed));
  }

  private serve(socket: Socket): void {
    this.connections++;
    this.sockets.add(socket);
    if (socket instanceof TLSSocket) {
      const { servername, alpnProtocol: protocol } = socket;
      this.handshakes.push({ servername, protocol, resumed: socket.isSessionReused() });
    }
    socket.on('error', () => undefined);
    socket.on('close', () => this.sockets.delete(socket));
    if (this.greeting !== undefined) {
      socket.end(this.greeting);
      return;
    }
    let unread = Buffer.alloc(0);
    socket.on('data', (chunk: Buffer) => {
      unread = Buffer.concat([unread, chunk]);
      for (let next = firstOf(unread); next !== undefined; next = firstOf(unread)) {
        unread = unread.subarray(next.length);
        this.requests.push(next.received);
        this.reaction(socket, next.received);
      }
    });
  }
}

/** The complete request at the beginning of the bytes. */
const firstOf = (bytes: Buffer): { readonly received: Received; readonly length: number } | undefined => {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const head = bytes.toString('latin1', 0, end).split('\r\n');
  const length = Number(/^content-length: (\d+)$/im.exec(head.join('\n'))?.[1] ?? 0);
  const start = end + 4;
  if (bytes.length < start + length) return undefined;
  return { received: { head, body: bytes.subarray(start, start + length) }, length: start + length };
};

/** A complete answer: a status line with fields below it, and a body. */
export const answering =
  (head: string, body: string): Reaction =>
  (socket) =>
    socket.write(`${head}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);

/** These bytes and no more; the connection stays open. */
export const writing =
  (text: string | Uint8Array): Reaction =>
  (socket) =>
    socket.write(text);

/** The same bytes again and again for as long as anybody listens. */
export const flooding =
  (start: string, again: string): Reaction =>
  (socket) => {
    socket.write(start);
    const more = () => {
      while (!socket.destroyed && socket.write(again));
    };
    socket.on('drain', more);
    more();
  };

/** The text, one character every few milliseconds. */
export const dripping =
  (text: string, everyMs: number): Reaction =>
  (socket) => {
    let sent = 0;
    const timer = setInterval(() => {
      if (socket.destroyed || sent === text.length) clearInterval(timer);
      else socket.write(text[sent++] ?? '');
    }, everyMs);
    socket.on('close', () => clearInterval(timer));
  };

export const hangingUp: Reaction = (socket) => socket.destroy();

export const silent: Reaction = () => undefined;
