import { connect, type Socket } from 'node:net';

/** Connections that are held as long as they can be; each that ends is opened again. */
const HELD = 150;
const DRIP_EVERY = 1_000;
const OPENED_AGAIN_AFTER = 250;

type Manner = (socket: Socket, secret: string) => NodeJS.Timeout | undefined;

const drip = (socket: Socket, text: () => string): NodeJS.Timeout =>
  setInterval(() => {
    if (socket.writable) socket.write(text());
  }, DRIP_EVERY);

const slowBody: Manner = (socket, secret) => {
  socket.write(
    `POST /v1/creators HTTP/1.1\r\nHost: soak\r\nAuthorization: Bearer ${secret}\r\n` +
      'Content-Type: application/json\r\nContent-Length: 16000\r\n\r\n{"external_id":"',
  );
  return drip(socket, () => 'x');
};

const slowHeaders: Manner = (socket) => {
  socket.write('GET /v1/me HTTP/1.1\r\nHost: soak\r\n');
  return drip(socket, () => `X-Slow: ${'y'.repeat(60)}\r\n`);
};

const silence: Manner = () => undefined;

const MANNERS: readonly Manner[] = [slowBody, slowHeaders, silence];

export class HeldConnections {
  opened = 0;
  private readonly sockets = new Set<Socket>();
  private isOver = false;

  constructor(
    private readonly port: number,
    private readonly secret: string,
  ) {}

  open(): void {
    for (let n = 0; n < HELD; n++) this.hold(MANNERS[n % MANNERS.length] ?? silence);
  }

  close(): void {
    this.isOver = true;
    for (const socket of this.sockets) socket.destroy();
  }

  private hold(manner: Manner): void {
    if (this.isOver) return;
    let dripping: NodeJS.Timeout | undefined;
    const socket = connect(this.port, '127.0.0.1', () => {
      this.opened++;
      dripping = manner(socket, this.secret);
    });
    this.sockets.add(socket);
    socket.on('error', () => undefined);
    socket.resume();
    socket.on('close', () => {
      clearInterval(dripping);
      this.sockets.delete(socket);
      setTimeout(() => this.hold(manner), OPENED_AGAIN_AFTER);
    });
  }
}
