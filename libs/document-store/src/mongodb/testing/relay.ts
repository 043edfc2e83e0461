import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

const MONGODB_PORT = 27_017;

/** A way to the server of a URL that can be cut, or hang. */
export class Relay {
  private readonly sockets = new Set<Socket>();
  private state: 'open' | 'hangs' | 'cut' = 'open';

  private constructor(
    readonly url: string,
    private readonly server: ReturnType<typeof createServer>,
  ) {}

  static async to(url: string): Promise<Relay> {
    const { protocol, hostname, port, pathname, search } = new URL(url);
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const here = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const relay = new Relay(`${protocol}//${here}${pathname}${search}`, server);
    server.on('connection', (client) => relay.lead(client, connect(Number(port || MONGODB_PORT), hostname)));
    return relay;
  }

  /** Connections stay, and nothing comes through them any more. */
  hang(): void {
    this.state = 'hangs';
    for (const socket of this.sockets) socket.pause();
  }

  /** Connections break, and new ones too. */
  cut(): void {
    this.state = 'cut';
    for (const socket of this.sockets) socket.destroy();
  }

  heal(): void {
    this.state = 'open';
    for (const socket of this.sockets) socket.resume();
  }

  close(): void {
    this.cut();
    this.server.close();
  }

  private lead(client: Socket, server: Socket): void {
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      this.sockets.add(from);
      from.on('data', (bytes) => to.write(bytes));
      from.on('error', () => undefined);
      from.on('close', () => {
        this.sockets.delete(from);
        to.destroy();
      });
      if (this.state === 'cut') from.destroy();
      if (this.state === 'hangs') from.pause();
    }
  }
}
