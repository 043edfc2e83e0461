import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An agency's webhook receiver: remembers which events came. */
export class Receiver {
  readonly received = new Set<string>();
  private readonly server: Server;

  constructor() {
    this.server = createServer((request, response) => {
      const { 'x-svc-event-id': id } = request.headers;
      request.resume().on('end', () => {
        if (typeof id === 'string') this.received.add(id);
        response.writeHead(204).end();
      });
    });
    this.server.keepAliveTimeout = 60_000;
  }

  listen(): Promise<string> {
    return new Promise((resolve) => {
      this.server.listen(0, '127.0.0.1', () => {
        resolve(`http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hooks`);
      });
    });
  }
}
