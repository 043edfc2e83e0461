import { once } from 'node:events';
import {
  type ClientRequest,
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Random } from '../support/random.js';

/** The faults that the proxy causes, each with its share of the requests. */
const FAULTS = {
  /** Closes the connection before the service has got the request. */
  lostRequest: 0.03,
  /** The service has answered, and the client does not get the answer. */
  lostAnswer: 0.05,
  /** The client gets a part of the answer. */
  halfAnswer: 0.02,
  /** A page of the proxy in place of the answer. */
  badGateway: 0.02,
  /** The request waits before it is passed on, or its answer does. */
  delay: 0.1,
} as const;

type Fault = keyof typeof FAULTS | 'hang';

const MAX_DELAY = 800;
/** Requests that are never answered: each costs the client the whole timeout of a try. */
const HANGS = 8;
const FIRST_HANG = 0.005;

/** An HTTP proxy at a fixed address, in front of a service whose address changes with each start. */
export class BadProxy {
  readonly struck: Partial<Record<Fault | 'unreachable', number>> = {};
  readonly #random: Random;
  readonly #server: Server;
  #target: URL | undefined;

  private constructor(random: Random) {
    this.#random = random;
    this.#server = createServer((incoming, answer) => void this.#handle(incoming, answer));
  }

  static async start(random: Random): Promise<BadProxy> {
    const proxy = new BadProxy(random);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  passTo(url: string): void {
    this.#target = new URL(url);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #handle(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
    const body = await bytesOf(incoming);
    const fault = this.#draw();
    if (fault !== undefined) this.#count(fault);
    if (fault === 'lostRequest') return this.#cut(answer);
    if (fault === 'badGateway')
      return void answer.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>');
    const wait = fault === 'delay' ? this.#random.between(0, MAX_DELAY) : 0;
    const isEarly = this.#random.chance(0.5);
    setTimeout(() => this.#forward(incoming, body, answer, fault, isEarly ? 0 : wait), isEarly ? wait : 0);
  }

  #forward(
    incoming: IncomingMessage,
    body: Buffer,
    answer: ServerResponse,
    fault: Fault | undefined,
    wait: number,
  ): void {
    const { method, url: path, headers } = incoming;
    const outgoing = request({ ...hostOf(this.#target), method, path, headers, agent: false });
    outgoing.on('error', () => {
      this.#count('unreachable');
      this.#cut(answer);
    });
    outgoing.on('response', (response) => void this.#answer(outgoing, response, answer, fault, wait));
    outgoing.end(body);
  }

  async #answer(
    outgoing: ClientRequest,
    response: IncomingMessage,
    answer: ServerResponse,
    fault: Fault | undefined,
    wait: number,
  ) {
    const body = await bytesOf(response);
    if (!response.complete) {
      // The service was killed within its answer.
      outgoing.destroy();
      return this.#cut(answer);
    }
    if (fault === 'lostAnswer') return this.#cut(answer);
    if (fault === 'hang') return;
    setTimeout(() => {
      answer.writeHead(response.statusCode ?? 502, {
        ...response.headers,
        connection: 'close',
        'content-length': body.length,
      });
      if (fault === 'halfAnswer') answer.write(body.subarray(0, body.length / 2), () => this.#cut(answer));
      else answer.end(body);
    }, wait);
  }

  #draw(): Fault | undefined {
    if ((this.struck.hang ?? 0) < HANGS && this.#random.chance(FIRST_HANG)) return 'hang';
    let share = this.#random.next();
    for (const [fault, ofAll] of Object.entries(FAULTS)) {
      share -= ofAll;
      if (share < 0) return fault as Fault;
    }
    return undefined;
  }

  #count(fault: Fault | 'unreachable'): void {
    this.struck[fault] = (this.struck[fault] ?? 0) + 1;
  }

  /** With a reset in half of the cases, and an orderly end in the others. */
  #cut(answer: ServerResponse): void {
    if (this.#random.chance(0.5)) answer.socket?.resetAndDestroy();
    else answer.destroy();
  }
}

const hostOf = (target: URL | undefined) => ({ host: target?.hostname, port: target?.port });

/** Returns the bytes that arrived before the message ended or broke off. */
const bytesOf = (message: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  message.on('error', () => undefined);
  message.on('data', (chunk: Buffer) => chunks.push(chunk));
  return new Promise((resolve) => message.once('close', () => resolve(Buffer.concat(chunks))));
};
