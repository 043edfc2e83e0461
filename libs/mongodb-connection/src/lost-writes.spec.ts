import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { MongoNetworkError } from 'mongodb';
import { Connection } from 'mongodb/lib/cmap/connection.js';
import { eventually } from '#testing';
import './lost-writes.js';

const NAMESPACE = { db: 'admin', collection: '$cmd' };

const server = createServer();
let socket: Socket;

beforeEach(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'connect');
});

afterEach(() => {
  socket.destroy();
  server.close();
});

const aConnection = () => new Connection(socket, { id: 1, generation: 0, hostAddress: {} });

it('a command on a socket that is gone, and has not said so yet, is rejected', async () => {
  const connection = aConnection();
  socket.destroy();
  await expect(connection.command(NAMESPACE, { ping: 1 }, {})).rejects.toThrow(MongoNetworkError);
});

it('one that was sent waits for its answer, and is rejected when the connection ends', async () => {
  const connection = aConnection();
  const before = connection.listenerCount('close');
  const command = connection.command(NAMESPACE, { ping: 1 }, {});
  const rejected = expect(command).rejects.toThrow(MongoNetworkError);
  await eventually(() => connection.listenerCount('close') === before && socket.bytesWritten > 0);
  socket.destroy();
  await rejected;
});
