import type { Readable } from 'node:stream';
import { Agent, request } from 'undici';
import type { Activity, Case, DeindexRequest, FullCreator, Impersonation, Scan } from '#client';
import { type ApiCall, CreatorProtection, type EnrollCreatorBody, isApiError } from '#client';
import { fetchBy } from '../../support/client-fetch.js';
import { type Exchange, exchangeOf } from './exchange.js';
import { checkHoldsEverywhere } from './holds-everywhere.js';
import type { Event } from './resources.js';

type RequestHeaders = Readonly<Record<string, string | string[]>>;

interface Sent {
  readonly headers?: RequestHeaders;
  readonly body?: string | Buffer | Readable;
}

/** A page that takes longer than a request may (D80) is asked for again: it goes on where it ended. */
const SYNCHRONIZED = { maxRetries: 5 };

/** An agency's backend, with our client where a client would send it. Each answer is checked for what holds everywhere, and kept. */
export class ApiClient {
  readonly exchanges: Exchange[] = [];

  constructor(
    private readonly baseUrl: () => string,
    readonly secret: string,
    private readonly agent: Agent = new Agent(),
  ) {}

  /** Our client, which refuses a secret that cannot be one. A call is one request, because the test judges its answer. */
  private get client(): CreatorProtection {
    const fetch = fetchBy((...sent) => this.send(...sent));
    return new CreatorProtection({ baseUrl: 'http://service', apiKey: this.secret, fetch, maxRetries: 0 });
  }

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
    return this.answered(this.client.creators.enroll(body as EnrollCreatorBody));
  }

  patch(creatorId: string, body: object): Promise<Exchange> {
    return this.answered(this.client.creators.update(creatorId, body));
  }

  protect(creatorId: string, status: 'active' | 'paused'): Promise<Exchange> {
    return this.answered(this.client.creators.setProtection(creatorId, { status }));
  }

  remove(creatorId: string): Promise<Exchange> {
    return this.answered(this.client.creators.remove(creatorId));
  }

  resendInvitation(creatorId: string, idempotencyKey: string): Promise<Exchange> {
    return this.answered(this.client.creators.resendInvitation(creatorId, { idempotencyKey }));
  }

  queueScan(creatorId: string, idempotencyKey: string): Promise<Exchange> {
    return this.answered(this.client.scans.queue(creatorId, { idempotencyKey }));
  }

  requestDeindex(caseId: string, idempotencyKey: string): Promise<Exchange> {
    return this.answered(this.client.deindexing.request(caseId, { provider: 'search' }, { idempotencyKey }));
  }

  reportImpersonation(creatorId: string, url: string, idempotencyKey: string): Promise<Exchange> {
    return this.answered(this.client.impersonations.report(creatorId, { url }, { idempotencyKey }));
  }

  /** The exchange of a call, also if it was refused. */
  private async answered(call: ApiCall<unknown>): Promise<Exchange> {
    const { requestId } = await call.withResponse().catch((error) => {
      if (isApiError(error)) return error;
      throw error;
    });
    const exchange = this.exchanges.findLast(({ headers }) => headers['x-request-id'] === requestId);
    if (exchange === undefined) throw new Error(`no answer has the request id ${requestId}`);
    return exchange;
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
    return this.client.creators.get(id);
  }

  scan(id: string): Promise<Scan> {
    return this.client.scans.get(id);
  }

  deindexRequest(id: string): Promise<DeindexRequest> {
    return this.client.deindexing.get(id);
  }

  roster(limit?: number): Promise<FullCreator[]> {
    return this.client.creators.list({ ...SYNCHRONIZED, limit }).toArray();
  }

  cases(creatorId: string, limit?: number): Promise<Case[]> {
    return this.client.cases.list(creatorId, { ...SYNCHRONIZED, limit }).toArray();
  }

  impersonations(creatorId: string, limit?: number): Promise<Impersonation[]> {
    return this.client.impersonations.list(creatorId, { ...SYNCHRONIZED, limit }).toArray();
  }

  activity(creatorId: string): Promise<Activity[]> {
    return this.client.creators.activity(creatorId).toArray();
  }

  async events(): Promise<Event[]> {
    return (await this.client.events.list().toArray()) as Event[];
  }
}

/** The body of a success; throws for anything else. */
export const bodyOf = <Body>({ method, path, status, text, body }: Exchange): Body => {
  if (status >= 300) throw new Error(`${method} ${path} → ${status} ${text}`);
  return body as Body;
};
