import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll } from '@jest/globals';
import type { Instant } from '#kernel';
import { checkSignature, ownSignature, SigningKey, standardHeaders } from '#webhooks';

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

type Answer = (response: ServerResponse, received: Received) => void;

const answering =
  (status: number, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(status, headers).end('{"never": "kept"}');

const running = new Set<Receiver>();
afterAll(() => Promise.all([...running].map((receiver) => receiver.stop())));

/** An agency's receiver of webhooks: answers 200 unless the test says otherwise, and keeps what it received. */
export class Receiver {
  readonly received: Received[] = [];
  private answer: Answer = answering(200);

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  /** Listens at a free port, unless one is given. */
  static async start(atPort = 0): Promise<Receiver> {
    const server = createServer();
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(atPort, '127.0.0.1', resolve);
    });
    const { port } = server.address() as AddressInfo;
    const receiver = new Receiver(server, `http://127.0.0.1:${port}/hook?of=agency`);
    server.on('request', (request, response) => receiver.take(request, response));
    running.add(receiver);
    return receiver;
  }

  /** From now on every request is answered so. */
  answers(status: number, headers?: Record<string, string>): void {
    this.answer = answering(status, headers);
  }

  answersBy(answer: Answer): void {
    this.answer = answer;
  }

  /** The bodies that came, as events. */
  get events(): { id: string; type: string; data: Record<string, unknown> }[] {
    return this.received.map(({ body }) => JSON.parse(body.toString()));
  }

  get eventIds(): string[] {
    return this.received.map(({ headers }) => String(headers['x-svc-event-id']));
  }

  forget(): void {
    this.received.length = 0;
  }

  stop(): Promise<void> {
    return new Promise((resolve) => {
      this.server.close(() => resolve());
      this.server.closeAllConnections();
    });
  }

  private take(request: IncomingMessage, response: ServerResponse): void {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request;
      const received = { method, path, headers, body: Buffer.concat(chunks) };
      this.received.push(received);
      this.answer(response, received);
    });
  }
}

/** Whether the request is signed with the secret, as of that time. */
export const isSigned = ({ headers, body }: Received, secret: string, now: Instant): boolean => {
  const signature = ownSignature(String(headers['x-svc-signature']));
  const keys = { inForce: [new SigningKey(secret)], replaced: [] };
  return (
    signature !== undefined && checkSignature({ signature, hasSameBytes: true }, body, keys, now).verdict === 'valid'
  );
};

/** Whether one of the signatures of Standard Webhooks is by the secret (D102). */
export const isStandardSigned = ({ headers, body }: Received, secret: string): boolean => {
  const [id, seconds] = [String(headers['webhook-id']), Number(headers['webhook-timestamp'])];
  const expected = standardHeaders([new SigningKey(secret)], id, seconds, body)['webhook-signature'];
  return String(headers['webhook-signature']).split(' ').includes(String(expected));
};
