import { contractOperation, type Service } from '../contract/document.js';
import { type Problem, problemWithKnown } from '../contract/schemas.js';
import { Failed } from './verdict.js';

const TIMEOUT = 10_000;

export interface ContractRequest {
  path?: Record<string, string>;
  query?: Record<string, string | number>;
  key?: string;
  fence?: number | string;
  body?: unknown;
  /** Null: no Authorization header. */
  token?: string | null;
}

export interface ServiceAddress {
  url: string;
  token: string;
}

interface ContractAnswer {
  status: number;
  /** The error's code, undefined for 2xx. */
  code: string | undefined;
  /** With `stale_fence`. */
  fence: number | undefined;
  body: unknown;
}

/** Calls operations by their contract id, and holds every answer against the contract's schemas, which is all that is left of it. */
export class ContractClient {
  readonly #schemas = new Map<string, Problem>();

  constructor(
    /** The same one three times, or three. */
    private readonly addresses: Record<Service, ServiceAddress>,
  ) {}

  async call(operationId: string, request: ContractRequest = {}): Promise<ContractAnswer> {
    const operation = contractOperation(operationId);
    const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name) =>
      encodeURIComponent(request.path?.[name] ?? 'none'),
    );
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(request.query ?? {})) query.set(name, String(value));
    const answer = await this.raw(
      operation.service,
      operation.method,
      query.size > 0 ? `${path}?${query}` : path,
      request,
    );
    this.#hold(operationId, answer);
    return answer;
  }

  /** Expects this very status, and gives the body. */
  async get<Body>(operationId: string, status: number, request: ContractRequest = {}): Promise<Body> {
    const answer = await this.call(operationId, request);
    if (answer.status !== status) {
      throw new Failed(`${operationId} answered ${answer.status} ${answer.code ?? ''} instead of ${status}`);
    }
    return answer.body as Body;
  }

  async refused(
    operationId: string,
    status: number,
    code: string | undefined,
    request: ContractRequest,
  ): Promise<void> {
    const answer = await this.call(operationId, request);
    if (answer.status !== status || (code !== undefined && answer.code !== code)) {
      const wanted = `${status} ${code ?? ''}`.trim();
      throw new Failed(`${operationId} answered ${answer.status} ${answer.code ?? ''} instead of ${wanted}`);
    }
  }

  async raw(service: Service, method: string, path: string, request: ContractRequest = {}): Promise<ContractAnswer> {
    const headers: Record<string, string> = {};
    const address = this.addresses[service];
    const token = request.token === undefined ? address.token : request.token;
    if (token !== null) headers.authorization = `Bearer ${token}`;
    if (request.key !== undefined) headers['idempotency-key'] = request.key;
    if (request.fence !== undefined) headers.fence = String(request.fence);
    if (request.body !== undefined) headers['content-type'] = 'application/json';
    const response = await fetch(address.url.replace(/\/$/, '') + path, {
      method,
      headers,
      body: request.body === undefined ? null : JSON.stringify(request.body),
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT),
    });
    const body = parsed(await response.text());
    const error = (body as { error?: { code?: string; fence?: number } } | undefined)?.error;
    return { status: response.status, code: response.ok ? undefined : error?.code, fence: error?.fence, body };
  }

  #hold(operationId: string, { status, body }: ContractAnswer): void {
    const { responses } = contractOperation(operationId);
    if (status < 300 && !responses.has(String(status))) throw new Failed(`${operationId} answered ${status}`);
    const name = responses.has(String(status)) ? String(status) : 'default';
    const schema = responses.get(name);
    if (!schema) return;
    const known = this.#schemas.get(`${operationId} ${name}`) ?? problemWithKnown(schema);
    this.#schemas.set(`${operationId} ${name}`, known);
    const problem = known(body);
    if (problem) throw new Failed(`${operationId} ${status}: ${problem}`);
  }
}

function parsed(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw new Failed(`a body that is not JSON: ${text.slice(0, 80)}`);
  }
}
