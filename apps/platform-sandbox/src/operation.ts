import type { World } from './state/world.js';

/** One contract call whose form has been checked against the contract. */
export interface Call {
  /** From the path or the body. */
  agencyId: string;
  userId: string;
  /** `invitation_id` or `job_id`. */
  recordId: string;
  query: Readonly<Record<string, string | number>>;
  /** The Idempotency-Key, or '' if none is required. */
  key: string;
  /** 0 if none is required. */
  fence: number;
  body: unknown;
  /** The address that the caller used, without a path. */
  origin: string;
}

export interface Answer {
  status: number;
  /** The caller gets the members that the contract names. */
  body?: unknown;
  /** Whether a PUT, PATCH or DELETE found something to change. */
  changed?: boolean;
}

export type Operation = (world: World, call: Call) => Answer;

export type Operations = Readonly<Record<string, Operation>>;

/** The contract's schema has passed this body; here it gets its type. */
export function bodyOf<Body>(call: Call): Body {
  return call.body as Body;
}

export function ok(body: unknown): Answer {
  return { status: 200, body };
}

export function changedTo(body: unknown, changed: boolean): Answer {
  return { status: 200, body, changed };
}

const DEFAULT_LIMIT = 100;

/** One page. Reads one record more than the limit, so that a full last page is recognized as the last one. */
export function page<R>(records: Iterable<R>, call: Call, cursor: (record: R) => string): Answer {
  const limit = Number(call.query.limit ?? DEFAULT_LIMIT);
  const data: R[] = [];
  for (const record of records) {
    const last = data.at(-1);
    if (data.length === limit && last !== undefined) return ok({ data, next_cursor: cursor(last) });
    data.push(record);
  }
  return ok({ data, next_cursor: null });
}

export function noneOrOne<R>(record: R | undefined): Answer {
  return ok({ data: record === undefined ? [] : [record] });
}

export function afterOf({ query }: Call): string | undefined {
  return query.after === undefined ? undefined : String(query.after);
}

/** An answer other than 2xx, in the contract's error envelope. Nothing was done and nothing is remembered. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly details: object = {},
  ) {
    super(message);
  }
}

export function notFound(what: string): Refusal {
  return new Refusal(404, 'not_found', `No such ${what}, or not visible to this agency.`);
}

export function found<Record>(record: Record | undefined, what: string): Record {
  if (record === undefined) throw notFound(what);
  return record;
}

export function invalid(problem: string): Refusal {
  return new Refusal(400, 'invalid_request', problem);
}

export function envelope(code: string, message: string, details: object = {}) {
  return { error: { code, message, ...details } };
}
