import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { checkSignature, ownSignature, SigningKey } from '#webhooks';
import { freePort } from '../../support/free-port.js';

interface Kept {
  readonly bytes: string;
  times: number;
}

/** A receiver that can be killed and started again at its address; it keeps what it has read, whether it answered or not. */
export class HookReceiver {
  /** By the id of the event: the hash of its bytes, and how often it came. */
  readonly kept = new Map<string, Kept>();
  readonly faults: string[] = [];
  requests = 0;
  /** The latest delivery: its headers, one per line, and its body. */
  latest = { headers: '', body: '' };
  secret = '';
  private server: Server | undefined;
  private port: number | undefined;

  get url(): string {
    return `http://127.0.0.1:${this.port}/hooks`;
  }

  async start(): Promise<void> {
    this.port ??= await freePort();
    const { port } = this;
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk) => chunks.push(chunk));
      request.on('error', () => undefined);
      request.on('end', () => {
        const header = request.headers['x-svc-signature'];
        const body = Buffer.concat(chunks);
        const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${String(value)}`);
        this.latest = { headers: headers.join('\n'), body: body.toString() };
        this.keep(String(request.headers['x-svc-event-id']), String(header), body);
        response.writeHead(204).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    this.server = server;
  }

  /** As a killed process does: all requests under way break off, and nobody listens. */
  async kill(): Promise<void> {
    const { server } = this;
    if (server === undefined) return;
    this.server = undefined;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    await closed;
  }

  private keep(id: string, header: string, body: Buffer): void {
    this.requests++;
    const signature = ownSignature(header);
    const keys = { inForce: [new SigningKey(this.secret)], replaced: [] };
    const verdict = signature && checkSignature({ signature, hasSameBytes: true }, body, keys, Date.now()).verdict;
    if (verdict !== 'valid') this.faults.push(`${id}: ${verdict ?? 'no signature'}`);
    if (JSON.parse(body.toString()).id !== id) this.faults.push(`${id} is not the id in the body`);
    const bytes = hashOf(body);
    const known = this.kept.get(id);
    if (known === undefined) this.kept.set(id, { bytes, times: 1 });
    else {
      known.times++;
      if (known.bytes !== bytes) this.faults.push(`${id} has other bytes than before`);
    }
  }
}

export const hashOf = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('base64');
