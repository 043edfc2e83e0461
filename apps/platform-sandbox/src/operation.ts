import type { World } from './state/world.js';

/** One contract call whose form has been checked against the contract. */
export interface Call {
  /** From the path or the body. */
  agencyId: string;
  userId: string;
  /** `invitation_id` or `job_id`. */
  recordId: string;
  query: Readonly<Record<string, string | number>>;
  /** The Idempotency-Key, '' where none is asked for. */
  key: string;
  /** 0 where none is asked for. */
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

/** By the contract's operationId. */
export type Operations = Readonly<Record<string, Operation>>;

/** The contract's schema has passed this body; here it gets its type. */
export function bodyOf<Body>(call: Call): Body {
  return call.body as Body;
}

export function ok(body: unknown): Answer {
  return { status: 200, body };
}

/** The answer to a change that is idempotent. */
export function changedTo(body: unknown, changed: boolean): Answer {
  return { status: 200, body, changed };
}

const DEFAULT_LIMIT = 100;

/** One page. It takes one record more than the limit, so that a full last page says that it is the last. */
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

/** A lookup by reference. */
export function noneOrOne<R>(record: R | undefined): Answer {
  return ok({ data: record === undefined ? [] : [record] });
}

export function afterOf({ query }: Call): string | undefined {
  return query.after === undefined ? undefined : String(query.after);
}
