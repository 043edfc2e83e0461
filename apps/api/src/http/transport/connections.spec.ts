import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { afterEach, expect, it } from '@jest/globals';
import { HOUR } from '#kernel';
import { CONNECTION_LIMITS, type ConnectionLimits, Connections, MAX_PIPELINED } from './connections.js';

const GET = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n';
/** More than the buffers of any connection take. */
const endless = () =>
  new Readable({
    read() {
      this.push(Buffer.alloc(65_536));
    },
  });

const stops: (() => unknown)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

/** A server whose answers are streams that do not end, as the api announces them. */
const streaming = async (limits: Partial<ConnectionLimits>) => {
  const server = createServer((_, response: ServerResponse) => {
    const stream = endless();
    connections.sending(response, stream);
    stream.pipe(response).on('close', () => stream.destroy());
  });
  const connections = new Connections(server, { ...CONNECTION_LIMITS, ...limits });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  stops.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
};

/** A client that asks and does not read. */
const unreader = async (port: number, requests = GET): Promise<Socket> => {
  const socket = connect(port, '127.0.0.1');
  // The server resets the connection.
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  stops.push(() => socket.destroy());
  socket.pause();
  socket.write(requests);
  return socket;
};

/** When the server has closed it: a socket that is not read finds out by writing. */
const cut = async (socket: Socket) => {
  const timer = setInterval(() => socket.write('\r\n'), 20);
  await new Promise((resolve) => socket.once('close', resolve));
  clearInterval(timer);
};

it('D69: closes the connection of a client that does not read a stream', async () => {
  const requestTimeout = 200;
  const port = await streaming({ requestTimeout, checkInterval: 20 });
  const began = performance.now();
  await cut(await unreader(port));
  expect(performance.now() - began).toBeGreaterThanOrEqual(requestTimeout);
});

it('D69: leaves the connection of a client that reads a stream', async () => {
  const port = await streaming({ requestTimeout: 100, checkInterval: 20 });
  const [reader, other] = [await unreader(port), await unreader(port)];
  let bytes = 0;
  reader.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
  });
  reader.resume();
  await cut(other);
  const read = bytes;
  await once(reader, 'data');
  expect(bytes).toBeGreaterThan(read);
});

it('D69: holds streams that nobody reads up to a number of bytes', async () => {
  // The time of a request, after which they are closed too, is not over here.
  const port = await streaming({ maxUnreadBytes: 1_000_000, requestTimeout: HOUR });
  const unread = Array.from({ length: 4 }, () => unreader(port, GET.repeat(MAX_PIPELINED)));
  await Promise.race((await Promise.all(unread)).map(cut));
});
