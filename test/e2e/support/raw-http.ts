import { once } from 'node:events';
import { connect } from 'node:net';
import { type Exchange, exchangeOf } from './exchange.js';

/** Sends the bytes as they are, and reads until the server closes the connection. */
export const sendRaw = async (url: string, bytes: string): Promise<Exchange> => {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const received: Buffer[] = [];
  socket.on('data', (chunk) => received.push(chunk));
  socket.on('error', () => undefined);
  socket.write(bytes);
  await once(socket, 'close');
  const [head = '', ...body] = Buffer.concat(received).toString().split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = lines
    .map((line) => line.split(/: (.*)/))
    .map(([name = '', value = '']) => [name.toLowerCase(), value]);
  const [method = '', path = ''] = bytes.split(' ');
  const status = Number(statusLine.split(' ')[1]);
  return exchangeOf(method, path, status, Object.fromEntries(headers), body.join('\r\n\r\n'));
};
