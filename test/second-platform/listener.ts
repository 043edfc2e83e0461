import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type ContractOperation,
  contractOperations,
  type Service,
} from '../../apps/platform-sandbox/src/contract/document.js';
import type { Address } from './index.js';
import { otherAnswer, otherQuery, sandboxBody, sandboxPath } from './other-names.js';
import { type Answer, write } from './protocol-variants.js';

interface Surroundings {
  readonly sandbox: Address;
  /** Requests that HTTP or the contract does not allow. */
  readonly breaches: string[];
}

class Breach extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** One of the three services, at its own address and base path, with its own token, in front of the sandbox. */
export class Listener {
  private readonly server: Server;
  private answered = 0;

  constructor(
    private readonly service: Service,
    readonly token: string,
    private readonly basePath: string,
    private readonly around: Surroundings,
  ) {
    this.server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => void this.serve(request, response));
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
  }

  get url(): string {
    const { port } = this.server.address() as AddressInfo;
    return `http://127.0.0.1:${port}${this.basePath}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const raw = Buffer.concat(await request.toArray());
    this.answered += 1;
    const nth = this.answered;
    try {
      await write(response, await this.answerTo(request, raw), nth);
    } catch (error) {
      if (!(error instanceof Breach)) {
        // The sandbox has closed the connection.
        request.socket.destroy();
        return;
      }
      this.around.breaches.push(`${request.method} ${request.url}: ${error.message}`);
      await write(response, { status: error.status, body: { error: { code: 'breach', message: error.message } } }, nth);
    }
  }

  private async answerTo(request: IncomingMessage, raw: Buffer): Promise<Answer> {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://platform');
    if (!pathname.startsWith(`${this.basePath}/`)) throw new Breach(404, 'outside the base path');
    if (request.headers.authorization !== `Bearer ${this.token}`) throw new Breach(401, `not ${this.service}'s token`);
    const path = pathname.slice(this.basePath.length);
    const operation = operationAt(request.method, path);
    if (operation?.service !== this.service) throw new Breach(404, `no operation of ${this.service}`);
    checkHeaders(operation, request, raw);
    const { sandbox } = this.around;
    const query = otherQuery(operation, searchParams);
    const { 'idempotency-key': key, fence } = request.headers;
    const answer = await fetch(`${sandbox.url}${sandboxPath(path)}?${query}`, {
      method: operation.method,
      headers: {
        authorization: `Bearer ${sandbox.token}`,
        ...(typeof key === 'string' && { 'idempotency-key': key }),
        ...(typeof fence === 'string' && { fence }),
        ...(raw.length > 0 && { 'content-type': 'application/json' }),
      },
      body: raw.length > 0 ? JSON.stringify(sandboxBody(parsed(raw))) : null,
    });
    const text = await answer.text();
    return otherAnswer(operation, { status: answer.status, body: text === '' ? undefined : JSON.parse(text) });
  }
}

const routes = contractOperations.map((operation) => ({
  operation,
  pattern: new RegExp(`^${operation.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}));

const operationAt = (method: string | undefined, path: string): ContractOperation | undefined =>
  routes.find(({ operation, pattern }) => operation.method === method && pattern.test(path))?.operation;

/** Headers that HTTP itself needs. The contract mentions no other headers. */
const PLAIN_HEADERS = new Set(
  (
    'host connection keep-alive user-agent accept accept-language accept-encoding sec-fetch-mode authorization ' +
    'content-length transfer-encoding'
  ).split(' '),
);
const JSON_TYPE = /^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i;

/** The sandbox ignores headers that it does not know. */
function checkHeaders(
  { body, parameters }: ContractOperation,
  { headersDistinct }: IncomingMessage,
  raw: Buffer,
): void {
  const named = new Set(parameters.filter((one) => one.in === 'header').map(({ name }) => name.toLowerCase()));
  for (const [name, values = []] of Object.entries(headersDistinct)) {
    const isKnown = PLAIN_HEADERS.has(name) || named.has(name) || (body !== undefined && name === 'content-type');
    if (!isKnown) throw new Breach(400, `the header ${name} has no meaning here`);
    if (values.length > 1) throw new Breach(400, `the header ${name} twice`);
  }
  const [type = 'nothing'] = headersDistinct['content-type'] ?? [];
  if (raw.length > 0 && !JSON_TYPE.test(type)) throw new Breach(415, `the content type is ${type}`);
}

function parsed(raw: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(raw));
  } catch {
    throw new Breach(400, 'the body is not JSON in UTF-8');
  }
}
