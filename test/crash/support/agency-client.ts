import { Agent, request } from 'undici';
import {
  type ApiCall,
  type Capacity,
  type Case,
  type Connection,
  type Creator,
  CreatorProtection,
  type DeindexRequest,
  type EnrollCreatorBody,
  type FullCreator,
  type Impersonation,
  isApiError,
  type List,
  type Page,
  type Scan,
  type UpdateCreatorBody,
} from '#client';
import { fetchBy, type SendRequest } from '../../support/client-fetch.js';

const TIMEOUT = 60_000;
/** How often a page of a list is asked for. */
const TRIES = 10;

export interface Answer<Body> {
  readonly status: number;
  readonly body: Body & Refusal;
}

export interface Refusal {
  readonly error?: { readonly code: string; readonly message: string };
}

export interface EventBody {
  readonly id: string;
  readonly type: string;
  readonly created_at: number;
  readonly data: {
    readonly creator_id: string;
    readonly scan_id?: string;
    readonly case_id?: string;
    readonly creator?: FullCreator;
  };
}

/** The answer's body; throws unless it has the status. */
export const ok = <Body>({ status, body }: Answer<Body>, expected = 200): Body => {
  if (status !== expected) throw new Error(`answered ${status} ${JSON.stringify(body)}, not ${expected}`);
  return body;
};

/** The answer, also if it is a refusal; rejects where no complete one came. */
const answerOf = <Body>(call: ApiCall<Body>): Promise<Answer<Body>> =>
  call
    .withResponse()
    .then(({ data, response }) => ({ status: response.status, body: data as Body & Refusal }))
    .catch(refusalOf<Body>);

const firstOf = <Item>(list: List<Item>): Promise<Answer<Page<Item>>> =>
  list
    .pages()
    .next()
    .then(({ value }) => ({ status: 200, body: value as Page<Item> & Refusal }))
    .catch(refusalOf<Page<Item>>);

const refusalOf = async <Body>(error: unknown): Promise<Answer<Body>> => {
  if (!isApiError(error)) throw error;
  return { status: error.status, body: (await error.response.json()) as Body & Refusal };
};

/** An agency's backend, with our client. A call is one request, because the test judges what it was answered. */
export class AgencyClient {
  readonly api: CreatorProtection;
  /** Repeats a page that synchronizes for longer than a request may (D80). */
  private readonly patient: CreatorProtection;
  private readonly agent = new Agent({ connections: 64, pipelining: 1, headersTimeout: TIMEOUT });

  constructor(
    readonly url: string,
    secret: string,
  ) {
    const fetch = fetchBy((...sent) => this.send(...sent));
    const options = { baseUrl: 'http://service', apiKey: secret, fetch, timeout: TIMEOUT };
    this.api = new CreatorProtection({ ...options, maxRetries: 0 });
    this.patient = new CreatorProtection({ ...options, maxRetries: TRIES });
  }

  async send(...[method, path, sent]: Parameters<SendRequest>): ReturnType<SendRequest> {
    const answer = await request(this.url + path, { dispatcher: this.agent, method, body: null, ...sent });
    return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
  }

  /** How many requests of the minute are left after this one, by its answer. */
  async remaining(creatorId: string): Promise<number> {
    const { response } = await this.api.creators.get(creatorId).withResponse();
    return Number(response.headers.get('ratelimit-remaining'));
  }

  me(): Promise<Answer<Connection>> {
    return answerOf(this.api.connection.get());
  }

  capacity(): Promise<Answer<Capacity>> {
    return answerOf(this.api.usage.capacity());
  }

  enroll(body: EnrollCreatorBody): Promise<Answer<Creator>> {
    return answerOf(this.api.creators.enroll(body));
  }

  creator(id: string): Promise<Answer<FullCreator>> {
    return answerOf(this.api.creators.get(id));
  }

  update(id: string, change: UpdateCreatorBody): Promise<Answer<FullCreator>> {
    return answerOf(this.api.creators.update(id, change));
  }

  remove(id: string): Promise<Answer<Creator>> {
    return answerOf(this.api.creators.remove(id));
  }

  resendInvitation(id: string, idempotencyKey: string): Promise<Answer<Creator>> {
    return answerOf(this.api.creators.resendInvitation(id, { idempotencyKey }));
  }

  protect(id: string, status: 'active' | 'paused'): Promise<Answer<Creator>> {
    return answerOf(this.api.creators.setProtection(id, { status }));
  }

  queueScan(creatorId: string, idempotencyKey: string): Promise<Answer<Scan>> {
    return answerOf(this.api.scans.queue(creatorId, { idempotencyKey }));
  }

  scan(id: string): Promise<Answer<Scan>> {
    return answerOf(this.api.scans.get(id));
  }

  requestDeindex(caseId: string, idempotencyKey: string): Promise<Answer<DeindexRequest>> {
    return answerOf(this.api.deindexing.request(caseId, { provider: 'search' }, { idempotencyKey }));
  }

  reportImpersonation(creatorId: string, url: string, idempotencyKey: string): Promise<Answer<Impersonation>> {
    return answerOf(this.api.impersonations.report(creatorId, { url }, { idempotencyKey }));
  }

  roster(): Promise<FullCreator[]> {
    return this.patient.creators.list().toArray();
  }

  cases(creatorId: string): Promise<Case[]> {
    return this.patient.cases.list(creatorId).toArray();
  }

  pageOfCases(creatorId: string): Promise<Answer<Page<Case>>> {
    return firstOf(this.api.cases.list(creatorId, { limit: 25 }));
  }

  pageOfEvents(after: string | null = null): Promise<Answer<Page<EventBody>>> {
    return firstOf(this.api.events.list({ after }) as List<EventBody>);
  }

  async events(limit = 100): Promise<EventBody[]> {
    return (await this.patient.events.list({ limit }).toArray()) as EventBody[];
  }

  /** Breaks off what is under way. */
  close(): Promise<void> {
    return this.agent.destroy();
  }
}
