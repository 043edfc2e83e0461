import type { Readable } from 'node:stream';
import { Agent, request } from 'undici';
import { type Exchange, exchangeOf } from './exchange.js';
import { checkHoldsEverywhere } from './holds-everywhere.js';
import type { Case, DeindexRequest, Event, FullCreator, Impersonation, Page, Scan } from './resources.js';

type RequestHeaders = Readonly<Record<string, string | string[]>>;

interface Sent {
  readonly headers?: RequestHeaders;
  readonly body?: string | Buffer | Readable;
}

/** An agency's backend. Each answer is checked for what holds everywhere, and kept. */
export class ApiClient {
  readonly exchanges: Exchange[] = [];

  constructor(
    private readonly baseUrl: () => string,
    readonly secret: string,
    private readonly agent: Agent = new Agent(),
  ) {}

  async send(method: string, path: string, { headers = {}, body }: Sent = {}): Promise<Exchange> {
    const answer = await request(this.baseUrl() + path, {
      dispatcher: this.agent,
      method,
      headers: { authorization: `Bearer ${this.secret}`, ...headers },
      body: body ?? null,
    });
    const exchange = exchangeOf(method, path, answer.statusCode, answer.headers, await answer.body.text());
    checkHoldsEverywhere(exchange);
    this.exchanges.push(exchange);
    return exchange;
  }

  get(path: string, headers: RequestHeaders = {}): Promise<Exchange> {
    return this.send('GET', path, { headers });
  }

  write(method: string, path: string, body: unknown, headers: RequestHeaders = {}): Promise<Exchange> {
    const sent = { 'content-type': 'application/json', ...headers };
    return this.send(method, path, { headers: sent, body: JSON.stringify(body) });
  }

  enroll(body: object): Promise<Exchange> {
    return this.write('POST', '/v1/creators', body);
  }

  patch(creatorId: string, body: object): Promise<Exchange> {
    return this.write('PATCH', `/v1/creators/${creatorId}`, body);
  }

  protect(creatorId: string, status: 'active' | 'paused'): Promise<Exchange> {
    return this.write('PUT', `/v1/creators/${creatorId}/protection`, { status });
  }

  remove(creatorId: string): Promise<Exchange> {
    return this.send('DELETE', `/v1/creators/${creatorId}`);
  }

  resendInvitation(creatorId: string, idempotencyKey: string): Promise<Exchange> {
    const path = `/v1/creators/${creatorId}/resend-invitation`;
    return this.write('POST', path, {}, { 'idempotency-key': idempotencyKey });
  }

  queueScan(creatorId: string, idempotencyKey: string): Promise<Exchange> {
    return this.write('POST', `/v1/creators/${creatorId}/scans`, {}, { 'idempotency-key': idempotencyKey });
  }

  requestDeindex(caseId: string, idempotencyKey: string): Promise<Exchange> {
    const path = `/v1/cases/${caseId}/deindex-requests`;
    return this.write('POST', path, { provider: 'search' }, { 'idempotency-key': idempotencyKey });
  }

  /** Repeats a read that takes longer than a request may (D80): it goes on where the one before it ended. */
  async synchronized(path: string): Promise<Exchange> {
    for (;;) {
      const answer = await this.get(path);
      if (answer.status !== 504) return answer;
    }
  }

  /** The body of a success of the kind that is expected. */
  async got<Body>(path: string): Promise<Body> {
    return bodyOf<Body>(await this.get(path));
  }

  creator(id: string): Promise<FullCreator> {
    return this.got(`/v1/creators/${id}`);
  }

  scan(id: string): Promise<Scan> {
    return this.got(`/v1/scans/${id}`);
  }

  deindexRequest(id: string): Promise<DeindexRequest> {
    return this.got(`/v1/deindex-requests/${id}`);
  }

  roster(): Promise<FullCreator[]> {
    return this.all<FullCreator>('/v1/creators');
  }

  cases(creatorId: string): Promise<Case[]> {
    return this.all<Case>(`/v1/creators/${creatorId}/cases`);
  }

  impersonations(creatorId: string): Promise<Impersonation[]> {
    return this.all<Impersonation>(`/v1/creators/${creatorId}/impersonations`);
  }

  reportImpersonation(creatorId: string, url: string, idempotencyKey: string): Promise<Exchange> {
    const path = `/v1/creators/${creatorId}/impersonations`;
    return this.write('POST', path, { url }, { 'idempotency-key': idempotencyKey });
  }

  events(): Promise<Event[]> {
    return this.all<Event>('/v1/events');
  }

  /** A whole collection, page by page. */
  async all<Item>(path: string, limit = 100): Promise<Item[]> {
    const items: Item[] = [];
    for (let after = ''; ; ) {
      const page: Page<Item> = await this.got(`${path}?limit=${limit}${after}`);
      items.push(...page.data);
      if (page.next_cursor === null) return items;
      after = `&after=${page.next_cursor}`;
    }
  }
}

/** The body of a success; throws for anything else. */
export const bodyOf = <Body>({ method, path, status, text, body }: Exchange): Body => {
  if (status >= 300) throw new Error(`${method} ${path} → ${status} ${text}`);
  return body as Body;
};
