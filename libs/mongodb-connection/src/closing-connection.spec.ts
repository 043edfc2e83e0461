import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { MongoNetworkError } from 'mongodb';
import { Connection } from 'mongodb/lib/cmap/connection.js';
import { eventually } from '#testing';
import { ClosingConnection, clientTo } from './client.js';

const NAMESPACE = { db: 'admin', collection: '$cmd' };

const server = createServer();
let socket: Socket;
let here: string;

beforeEach(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  here = `127.0.0.1:${port}`;
  socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
});

afterEach(() => {
  socket.destroy();
  server.removeAllListeners('connection');
  server.close();
});

const aConnection = (Type: typeof Connection) => new Type(socket, { id: 1, generation: 0, hostAddress: {} });

/** Sends a command on a destroyed socket that has not emitted `close`; returns its outcome long after `close`. */
const afterLostSocket = async (Type: typeof Connection): Promise<unknown> => {
  const connection = aConnection(Type);
  let outcome: unknown = 'still waiting';
  socket.destroy();
  connection.command(NAMESPACE, { ping: 1 }, {}).then(
    (answer) => {
      outcome = answer;
    },
    (error: unknown) => {
      outcome = error;
    },
  );
  await once(connection, 'close');
  for (let turn = 0; turn < 20; turn++) await setImmediate();
  return outcome;
};

it('a command on a destroyed socket that has not emitted `close` yet is rejected', async () => {
  expect(await afterLostSocket(ClosingConnection)).toBeInstanceOf(MongoNetworkError);
});

it('is still needed: on the driver’s own connection such a command waits for ever', async () => {
  // If this fails, the driver has learned it: remove ClosingConnection and driver.d.ts.
  expect(await afterLostSocket(Connection)).toBe('still waiting');
});

it('one that was sent waits for its answer, and is rejected when the connection ends', async () => {
  const connection = aConnection(ClosingConnection);
  const before = connection.listenerCount('close');
  const command = connection.command(NAMESPACE, { ping: 1 }, {});
  const rejected = expect(command).rejects.toThrow(MongoNetworkError);
  await eventually(() => connection.listenerCount('close') === before && socket.bytesWritten > 0);
  socket.destroy();
  await rejected;
});

it('is used by our clients and by no others', async () => {
  const writers: unknown[] = [];
  const write = ClosingConnection.prototype.writeCommand;
  ClosingConnection.prototype.writeCommand = function (...given) {
    writers.push(this);
    return write.apply(this, given);
  };
  server.on('connection', (peer) => peer.on('data', () => peer.destroy()));
  const client = clientTo(`mongodb://${here}/`, 'requests');
  try {
    await expect(client.db().command({ ping: 1 })).rejects.toThrow();
  } finally {
    ClosingConnection.prototype.writeCommand = write;
    await client.close();
  }
  expect(writers.length).toBeGreaterThan(0);
  expect(writers.every((writer) => writer instanceof ClosingConnection)).toBe(true);
});
