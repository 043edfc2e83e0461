import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json as readJson } from 'node:stream/consumers';

/** How a call is answered, or not. */
export type Reply = (response: ServerResponse) => void;

export interface ScriptedCall {
  readonly method: string;
  /** Path and query, as they came. */
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  /** The JSON body, undefined where there was none. */
  readonly body: unknown;
  /** Resolves when the answer is complete or the caller has given up. */
  readonly over: Promise<void>;
}

/** An HTTP server with scripted answers, including all kinds of faults. It records its requests. */
export class ScriptedPlatform {
  readonly calls: ScriptedCall[] = [];
  connections = 0;
  private replies: Reply[] = [];

  private constructor(private readonly server: Server) {
    server.on('connection', () => {
      this.connections++;
    });
    server.on('request', (request, response) => void this.serve(request, response));
  }

  static async start(): Promise<ScriptedPlatform> {
    const platform = new ScriptedPlatform(createServer());
    await once(platform.server.listen(0, '127.0.0.1'), 'listening');
    return platform;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Forgets earlier calls; the next ones are answered with these in turn, and with the last one from then on. */
  answer(...replies: readonly [Reply, ...Reply[]]): void {
    this.calls.length = 0;
    this.replies = [...replies];
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((closed) => this.server.close(closed));
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request;
    const body = headers['content-type'] === undefined ? undefined : await readJson(request);
    const over = new Promise<void>((resolve) => response.once('close', resolve));
    this.calls.push({ method, url, headers, body, over });
    const reply = this.replies.length > 1 ? this.replies.shift() : this.replies[0];
    (reply ?? failure(501, 'not_scripted'))(response);
  }
}

/** A complete answer of any text or bytes. */
export const raw =
  (status: number, body: string | Uint8Array = '', headers: Record<string, string> = {}): Reply =>
  (response) =>
    response.writeHead(status, headers).end(body);

export const json = (status: number, body: unknown, headers: Record<string, string> = {}): Reply =>
  raw(status, JSON.stringify(body), { 'content-type': 'application/json', ...headers });

/** The contract's error envelope. */
export const failure = (status: number, code: string, headers: Record<string, string> = {}): Reply =>
  json(status, { error: { code, message: code } }, headers);

/** Never answers. */
export const silence: Reply = () => undefined;

/** Breaks the connection once the request has been read. */
export const hangUp: Reply = (response) => response.destroy();

/** Begins an answer and never ends it. */
export const stall =
  (start: string): Reply =>
  (response) =>
    response.writeHead(200, { 'content-length': start.length + 1 }).write(start);

/** Begins an answer and then breaks the connection. */
export const cutOff =
  (start: string, headers: Record<string, string> = {}): Reply =>
  (response) =>
    response
      .writeHead(200, { 'content-length': start.length + 1, ...headers })
      .write(start, () => response.socket?.end());

/** Sends a blank every few milliseconds for as long as anybody listens. */
export const drip =
  (everyMs: number): Reply =>
  (response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write(' '), everyMs);
    response.once('close', () => clearInterval(timer));
  };

/** Answers something that is not HTTP. */
export const notHttp: Reply = (response) => response.socket?.end('SSH-2.0-OpenSSH_9.9\r\n');
