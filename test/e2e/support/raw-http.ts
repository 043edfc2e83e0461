import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { eventually } from '#testing';
import { type Exchange, exchangeOf } from './exchange.js';

/** A connection on which a test sends what it likes, when it likes. */
export class RawConnection {
  private readonly received: Buffer[] = [];
  private sent = '';
  /** When the server has closed it. */
  readonly closed: Promise<void>;
  isClosed = false;

  private constructor(readonly socket: Socket) {
    socket.on('data', (chunk) => this.received.push(chunk));
    socket.on('error', () => undefined);
    // Not `once` of node:events, which rejects where the server resets the connection.
    this.closed = new Promise((resolve) => {
      socket.on('close', () => {
        this.isClosed = true;
        resolve();
      });
    });
  }

  /** `allowHalfOpen`: it can send after the server has ended its side, as hostile clients do. */
  static async open(url: string, allowHalfOpen = false): Promise<RawConnection> {
    const { hostname, port } = new URL(url);
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen });
    const connection = new RawConnection(socket);
    await once(socket, 'connect');
    return connection;
  }

  get text(): string {
    return Buffer.concat(this.received).toString();
  }

  send(bytes: string): void {
    this.sent += bytes;
    this.socket.write(bytes);
  }

  /** The answer, once the server has closed the connection after it. */
  async answer(): Promise<Exchange> {
    await this.closed;
    return exchangeIn(this.sent, this.text);
  }

  /** Waits until the server has sent this. */
  async receives(text: string): Promise<void> {
    await eventually(async () => {
      if (!this.text.includes(text)) throw new Error(`${text} is not in ${this.text}`);
    });
  }
}

/** Sends the bytes as they are, and reads until the server closes the connection. */
export const sendRaw = async (url: string, bytes: string): Promise<Exchange> => {
  const connection = await RawConnection.open(url);
  connection.send(bytes);
  return connection.answer();
};

const exchangeIn = (sent: string, received: string): Exchange => {
  const [head = '', ...body] = received.split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = lines
    .map((line) => line.split(/: (.*)/))
    .map(([name = '', value = '']) => [name.toLowerCase(), value]);
  const [method = '', path = ''] = sent.split(' ');
  const status = Number(statusLine.split(' ')[1]);
  return exchangeOf(method, path, status, Object.fromEntries(headers), body.join('\r\n\r\n'));
};
