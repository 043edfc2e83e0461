import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import type { Service } from '../../apps/platform-sandbox/src/contract/document.js';
import { type Answer, errorAnswer, Refusal } from './answer.js';
import { contract, type Operation } from './contract.js';
import { operations } from './operations.js';
import { write } from './protocol-variants.js';
import { type Faults, type RecordOfCalls, Remembered } from './record-of-calls.js';
import { Breach, type Call, readCall, route } from './strict-request.js';
import type { World } from './world.js';

export interface Surroundings {
  world: World;
  record: RecordOfCalls;
  faults: Faults;
}

/** One of the three services, at its own address and base path, with its own token. */
export class Listener {
  private readonly server: Server;
  private readonly remembered = new Remembered();
  private answered = 0;

  constructor(
    readonly service: Service,
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
    const answer = this.answerTo(request, raw);
    if (answer === 'cut') request.socket.destroy();
    else await write(response, answer, nth);
  }

  private answerTo(request: IncomingMessage, raw: Buffer): Answer | 'cut' {
    const said = `${request.method} ${request.url}`;
    try {
      const { operation, call } = this.read(request, raw);
      const fault = this.around.faults.take(operation.id);
      const broken = fault !== undefined && fault !== 'cut after the effect';
      const answer = broken ? errorAnswer(fault.status, 'try_later') : this.perform(operation, call, said);
      const cut = fault === 'cut after the effect';
      const status = cut ? 'cut' : answer.status;
      this.around.record.calls.push({ operation: operation.id, path: said, key: call.key, status });
      this.around.record.check(operation, answer);
      return cut ? 'cut' : answer;
    } catch (error) {
      if (error instanceof Breach) return this.breached(said, error);
      this.around.record.slips.push(`${said}: ${error}`);
      return errorAnswer(500, 'broken');
    }
  }

  private read(request: IncomingMessage, raw: Buffer): { operation: Operation; call: Call } {
    const url = new URL(request.url ?? '', 'http://platform');
    const [path = ''] = (request.url ?? '').split('?');
    if (!path.startsWith(`${this.basePath}/`)) throw new Breach(404, 'outside the base path');
    if (request.headers.authorization !== `Bearer ${this.token}`) throw new Breach(401, `not ${this.service}'s token`);
    const inside = path.slice(this.basePath.length);
    const operation = route(request.method ?? '', inside);
    if (operation.service !== this.service) throw new Breach(404, `${operation.id} is not of ${this.service}`);
    return { operation, call: readCall(operation, request, url, inside, raw) };
  }

  private perform(operation: Operation, call: Call, said: string): Answer {
    const effect = (): Answer => operations[operation.id]?.(this.around.world, call) ?? errorAnswer(501, 'not_here');
    try {
      if (call.key === undefined) return effect();
      return this.remembered.once(call.key, { operation: operation.id, path: call.path, body: call.body }, effect);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (error.code === 'idempotency_conflict') this.around.record.breaches.push(`${said}: the key with another body`);
      return errorAnswer(error.status, error.code, undefined, error.members);
    }
  }

  private breached(said: string, { status, message }: Breach): Answer {
    this.around.record.breaches.push(`${said}: ${message}`);
    return errorAnswer(status, `breach_${status}`, message);
  }
}

/** Each operation of the contract is served, and nothing else is. */
export function isCompletelyServed(): boolean {
  return isDeepStrictEqual(contract.map(({ id }) => id).sort(), Object.keys(operations).sort());
}
