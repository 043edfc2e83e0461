import type { World } from './state/world.js';

export type Query = Readonly<Record<string, string | number>>;

/** One contract call whose form has been checked against the contract. */
export interface Call {
  agencyId: string;
  userId: string;
  /** `invitation_id` or `job_id`. */
  recordId: string;
  query: Query;
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
  body?: unknown;
  /** Whether a PUT, PATCH or DELETE found something to change. */
  changed?: boolean;
}

export type Operation = (world: World, call: Call) => Answer;

/** The contract's schema has passed this body; here it gets its type. */
export function bodyOf<Body>(call: Call): Body {
  return call.body as Body;
}

export function ok(body: unknown): Answer {
  return { status: 200, body };
}
