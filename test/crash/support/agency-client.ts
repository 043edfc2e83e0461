import { setTimeout as delay } from 'node:timers/promises';
import { Agent, request } from 'undici';

/** Of a list: how often it is asked for, and how many milliseconds pass in between. */
const TRIES = 10;
const BETWEEN_TRIES = 1_000;

export interface Answer<Body> {
  readonly status: number;
  readonly body: Body & Refusal;
}

export interface Refusal {
  readonly error?: { readonly code: string; readonly message: string };
}

export interface CreatorBody {
  readonly id: string;
  readonly external_id: string;
  readonly aliases: readonly string[];
  readonly protection_status: 'not_activated' | 'active' | 'paused';
  readonly enrollment_status: string;
  readonly identity_sync_pending: boolean;
  readonly svc_user_id: string | null;
  readonly invitation_id: string | null;
  readonly email_sent?: boolean;
}

export interface ScanBody {
  readonly id: string;
  readonly creator_id: string;
  readonly status: string;
  readonly svc_job_id: string | null;
  readonly error_code: string | null;
}

export interface CaseBody {
  readonly id: string;
  readonly leak_id: string;
  readonly scan_id: string | null;
}

export interface EventBody {
  readonly id: string;
  readonly type: string;
  readonly created_at: number;
  readonly data: { readonly creator_id: string; readonly scan_id?: string; readonly case_id?: string };
}

export interface UsageBody {
  readonly period_start: string;
  readonly measured_through: string;
  readonly active_creator_count: number;
  readonly creator_seconds: number;
}

export interface PageBody<Item> {
  readonly data: readonly Item[];
  readonly next_cursor: string | null;
}

/** The answer's body; throws unless it has the status. */
export const ok = <Body>({ status, body }: Answer<Body>, expected = 200): Body => {
  if (status !== expected) throw new Error(`answered ${status} ${JSON.stringify(body)}, not ${expected}`);
  return body;
};

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** An agency's backend: sends each request once. */
export class AgencyClient {
  private readonly agent = new Agent({ connections: 64, pipelining: 1, headersTimeout: 60_000 });

  constructor(
    readonly url: string,
    private readonly secret: string,
  ) {}

  /** Rejects where no complete answer came. */
  async send<Body>(method: Method, path: string, body?: object, key?: string): Promise<Answer<Body>> {
    const response = await request(this.url + path, {
      dispatcher: this.agent,
      method,
      headers: {
        authorization: `Bearer ${this.secret}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(key !== undefined && { 'idempotency-key': key }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    });
    return { status: response.statusCode, body: (await response.body.json()) as Body & Refusal };
  }

  /** How many requests of the minute are left after this one, by its answer. */
  async remaining(path: string): Promise<number> {
    const { headers, body } = await request(this.url + path, {
      dispatcher: this.agent,
      headers: { authorization: `Bearer ${this.secret}` },
    });
    await body.dump();
    return Number(headers['ratelimit-remaining']);
  }

  enroll(body: object): Promise<Answer<CreatorBody>> {
    return this.send('POST', '/v1/creators', body);
  }

  creator(id: string): Promise<Answer<CreatorBody>> {
    return this.send('GET', `/v1/creators/${id}`);
  }

  update(id: string, change: object): Promise<Answer<CreatorBody>> {
    return this.send('PATCH', `/v1/creators/${id}`, change);
  }

  protect(id: string, status: 'active' | 'paused'): Promise<Answer<CreatorBody>> {
    return this.send('PUT', `/v1/creators/${id}/protection`, { status });
  }

  queueScan(creatorId: string, key: string): Promise<Answer<ScanBody>> {
    return this.send('POST', `/v1/creators/${creatorId}/scans`, {}, key);
  }

  scan(id: string): Promise<Answer<ScanBody>> {
    return this.send('GET', `/v1/scans/${id}`);
  }

  page<Item>(path: string, limit: number, after: string | null): Promise<Answer<PageBody<Item>>> {
    const cursor = after === null ? '' : `&after=${encodeURIComponent(after)}`;
    return this.send('GET', `${path}?limit=${limit}${cursor}`);
  }

  /** A page of a list that synchronizes first (D80): repeated while that takes longer than a request may. */
  async synchronizedPage<Item>(path: string, limit: number, after: string | null): Promise<Answer<PageBody<Item>>> {
    for (let tried = 1; ; tried++) {
      const answer = await this.page<Item>(path, limit, after);
      const isUnfinished = answer.status === 503 || answer.status === 504;
      if (!isUnfinished || tried === TRIES) return answer;
      await delay(BETWEEN_TRIES);
    }
  }

  /** A whole collection, page by page. */
  async all<Item>(path: string, limit = 100): Promise<Item[]> {
    const items: Item[] = [];
    for (let after: string | null = null; ; ) {
      const { data, next_cursor }: PageBody<Item> = ok(await this.synchronizedPage<Item>(path, limit, after));
      items.push(...data);
      after = next_cursor;
      if (after === null) return items;
    }
  }

  /** Breaks off what is under way. */
  close(): Promise<void> {
    return this.agent.destroy();
  }
}
