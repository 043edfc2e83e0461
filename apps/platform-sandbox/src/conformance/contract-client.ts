import { setTimeout as wait } from 'node:timers/promises';
import { contractOperation, type Service } from '../contract/document.js';
import { type Problem, problemWithKnown } from '../contract/schemas.js';
import { Failed, Skipped } from './verdict.js';

const TIMEOUT = 10_000;
/** The contract calls them safe to repeat; a platform may limit how fast it is asked. */
const PASSING = [429, 503];
const REPEATS = 3;
const LONGEST_WAIT_SECONDS = 10;

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
    const { status, text } = await this.#send(
      operation.service,
      operation.method,
      query.size > 0 ? `${path}?${query}` : path,
      request,
    );
    const problem = this.#problemOf(operationId, status);
    const body = problem && parsed(text);
    const found = problem?.(body);
    if (found) throw new Failed(`${operationId} ${status}: ${found}`);
    const error = (body as { error?: { code?: string; fence?: number } } | undefined)?.error;
    return { status, code: status < 300 ? undefined : error?.code, fence: error?.fence, body };
  }

  /** Expects this very status, and gives the body. */
  async get<Body>(operationId: string, status: number, request: ContractRequest = {}): Promise<Body> {
    const answer = await this.call(operationId, request);
    if (answer.status !== status) throw unexpected(operationId, answer, `${status}`);
    return answer.body as Body;
  }

  async refused(operationId: string, request: ContractRequest, statuses: number[], code?: string): Promise<void> {
    const answer = await this.call(operationId, request);
    if (statuses.includes(answer.status) && (code === undefined || answer.code === code)) return;
    throw unexpected(operationId, answer, `${statuses.join(' or ')} ${code ?? ''}`.trim());
  }

  /** What the caller must not send. Nothing says that the platform has to refuse it; a 5xx would be a fault. */
  async mayRefuse(
    operationId: string,
    request: ContractRequest,
    undo?: (body: Record<string, unknown>) => Promise<void>,
  ): Promise<void> {
    const answer = await this.call(operationId, request);
    if (answer.status >= 400 && answer.status < 500) return;
    if (answer.status >= 300) throw unexpected(operationId, answer, 'a refusal');
    await undo?.(answer.body as Record<string, unknown>);
    throw new Skipped(`${operationId} accepts it, which the contract leaves to the platform`);
  }

  async #send(service: Service, method: string, path: string, request: ContractRequest) {
    const headers: Record<string, string> = {};
    const address = this.addresses[service];
    const token = request.token === undefined ? address.token : request.token;
    if (token !== null) headers.authorization = `Bearer ${token}`;
    if (request.key !== undefined) headers['idempotency-key'] = request.key;
    if (request.fence !== undefined) headers.fence = String(request.fence);
    if (request.body !== undefined) headers['content-type'] = 'application/json';
    for (let repeats = 0; ; repeats++) {
      const response = await fetch(address.url.replace(/\/$/, '') + path, {
        method,
        headers,
        body: request.body === undefined ? null : JSON.stringify(request.body),
        redirect: 'manual',
        signal: AbortSignal.timeout(TIMEOUT),
      });
      const text = await response.text();
      if (!PASSING.includes(response.status) || repeats === REPEATS) return { status: response.status, text };
      const seconds = Number(response.headers.get('retry-after') ?? 1);
      await wait(Math.min(Number.isFinite(seconds) ? seconds : 1, LONGEST_WAIT_SECONDS) * 1000);
    }
  }

  /** Undefined for an answer of which the contract describes no body. */
  #problemOf(operationId: string, status: number): Problem | undefined {
    const { responses } = contractOperation(operationId);
    if (status < 300 && !responses.has(String(status))) throw new Failed(`${operationId} answered ${status}`);
    const name = responses.has(String(status)) ? String(status) : 'default';
    const schema = responses.get(name);
    if (!schema) return undefined;
    const known = this.#schemas.get(`${operationId} ${name}`) ?? problemWithKnown(schema);
    this.#schemas.set(`${operationId} ${name}`, known);
    return known;
  }
}

export function unexpected(operationId: string, { status, code = '' }: ContractAnswer, wanted: string): Failed {
  return new Failed(`${operationId} answered ${status} ${code} instead of ${wanted}`);
}

function parsed(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw new Failed(`a body that is not JSON: ${text.slice(0, 80)}`);
  }
}
