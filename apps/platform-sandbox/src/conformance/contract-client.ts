import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { contractOperation, type Service } from '../contract/document.js';
import { type Problem, problemWithKnown } from '../contract/schemas.js';

const TIMEOUT = 10_000;
/** The contract calls them safe to repeat; a platform may limit the rate of requests. */
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
  fence: number | undefined;
  body: unknown;
}

/** Calls operations by their contract id, and checks every answer against the contract's schemas. */
export class ContractClient {
  constructor(
    /** The same request three times, or three different ones. */
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
    const problem = problemOf(operationId, status);
    const body = problem && parsed(text);
    const found = problem?.(body);
    if (found) throw new Failed(`${operationId} ${status}: ${found}`);
    const error = (body as { error?: { code?: string; fence?: number } } | undefined)?.error;
    return { status, code: status < 300 ? undefined : error?.code, fence: error?.fence, body };
  }

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

  /** Sends a request that a caller must not send. The platform may refuse or accept it; a 5xx is a fault. */
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
}

/** Undefined for an answer for which the contract describes no body. */
function problemOf(operationId: string, status: number): Problem | undefined {
  const { responses } = contractOperation(operationId);
  const isNamed = responses.has(String(status));
  if (status < 300 && !isNamed) throw new Failed(`${operationId} answered ${status}`);
  const schema = responses.get(isNamed ? String(status) : 'default');
  return schema && problemWithKnown(schema);
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

const MAX_PAGES = 2000;

const BY_USER = new Set(['listRoster', 'listSlots']);

type Query = Record<string, string | number>;

/**
 * Reads all pages until `next_cursor` is null. The roster and the slots continue after the last `user_id`, or after the
 * cursor if the platform left out all records of a page.
 */
export async function walk<R extends object>(
  client: ContractClient,
  operationId: string,
  path: Record<string, string>,
  query: Query & { limit: number } = { limit: 200 },
  mostRecords = Number.POSITIVE_INFINITY,
): Promise<R[]> {
  const parameter = operationId === 'listActivity' ? 'cursor' : 'after';
  const records: R[] = [];
  let cursor: string | null = null;
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const pageQuery: Query = cursor === null ? query : { ...query, [parameter]: cursor };
    const page: { data: R[]; next_cursor: string | null } = await client.get(operationId, 200, {
      path,
      query: pageQuery,
    });
    if (page.data.length > query.limit)
      throw new Failed(`${operationId} gave ${page.data.length} for limit ${query.limit}`);
    records.push(...page.data);
    if (page.next_cursor === null || records.length >= mostRecords) return records;
    cursor = BY_USER.has(operationId) ? (lastUser(page.data) ?? page.next_cursor) : page.next_cursor;
  }
  throw new Failed(`${operationId} has no end after ${MAX_PAGES} pages`);
}

function lastUser(records: object[]): string | undefined {
  const last = records.at(-1);
  return last && 'user_id' in last ? String(last.user_id) : undefined;
}

/** A lookup by reference returns one record with the expected members; by its id or another reference, none. */
export async function expectFound(
  client: ContractClient,
  operationId: string,
  expected: { reference: string; [field: string]: unknown },
  path: Record<string, string> = {},
): Promise<void> {
  const { reference } = expected;
  const find = (query: { reference: string }) =>
    client.get<{ data: Record<string, unknown>[] }>(operationId, 200, { path, query });
  const shown = (await find({ reference })).data.map((record) =>
    Object.fromEntries(Object.keys(expected).map((field) => [field, record[field]])),
  );
  equal(shown, [expected], operationId);
  const others = [`${reference}-other`, ...Object.values(expected).map(String)];
  for (const other of others.filter((one) => one !== reference)) {
    equal(await find({ reference: other }), { data: [] }, `another reference, ${other}`);
  }
}

export class Failed extends Error {}

/** The platform has no data to run the check on. */
export class Skipped extends Error {}

export function expect(condition: boolean, expectation: string): asserts condition {
  if (!condition) throw new Failed(expectation);
}

/** Ignores the order of members, because JSON has none. */
export function equal(actual: unknown, expected: unknown, what: string): void {
  if (isDeepStrictEqual(actual, expected)) return;
  const [shown, wanted] = [JSON.stringify(actual), JSON.stringify(expected)];
  throw new Failed(`${what}: ${shown?.slice(0, 200)} instead of ${wanted?.slice(0, 200)}`);
}

export function skipUnless<T>(value: T | undefined, reason: string): T {
  if (value === undefined) throw new Skipped(reason);
  return value;
}
