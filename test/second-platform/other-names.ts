import type { ContractOperation } from '../../apps/platform-sandbox/src/contract/document.js';
import type { Answer } from './protocol-variants.js';

/** Ids that a path has to escape; `%2F` stands in them as it is. */
const otherId = (id: string): string => `é ${id}/%2F?#1`;
const sandboxId = (id: string): string => /^é (.*)\/%2F\?#1$/.exec(id)?.[1] ?? id;

const IDS = new Set(['id', 'job_id', 'leak_id', 'impersonation_id', 'submission_id']);
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
/** Optional members of the contract that may be null too. */
const ABSENT_IF_NULL = new Set(['expires', 'profile_id']);

/** Their next page is requested by the last `user_id`: their cursor only has to say that there is more. */
const BY_USER = new Set(['listRoster', 'listSlots']);
const otherCursor = (cursor: string): string => `+&=${Buffer.from(cursor).toString('base64')} §`;
const sandboxCursor = (cursor: string): string => {
  const inside = /^\+&=(.*) §$/.exec(cursor)?.[1];
  return inside === undefined ? cursor : Buffer.from(inside, 'base64').toString();
};

/** The contract gives the most that a page may hold, and nothing that it must. */
const MAX_PAGE_SIZE = 2;

export function otherQuery({ id, parameters }: ContractOperation, query: URLSearchParams): URLSearchParams {
  const takes = (name: string) => parameters.some((parameter) => parameter.name === name);
  const limit = Number(query.get('limit') ?? 100);
  if (takes('limit') && limit > MAX_PAGE_SIZE && limit <= 200) query.set('limit', String(MAX_PAGE_SIZE));
  for (const name of ['after', 'cursor']) {
    const cursor = query.get(name);
    if (cursor !== null && !BY_USER.has(id)) query.set(name, sandboxCursor(cursor));
  }
  return query;
}

/** The same UUID may be written in capitals. */
export const sandboxPath = (path: string): string =>
  path
    .split('/')
    .map((segment) => sandboxId(decodeURIComponent(segment)))
    .map((id) => encodeURIComponent(UUID.test(id) ? id.toLowerCase() : id))
    .join('/');

export const sandboxBody = (body: unknown): unknown =>
  changed(body, (name, value) => {
    if (name === 'leak_id') return sandboxId(value);
    return name === 'user_id' ? value.toLowerCase() : value;
  });

export function otherAnswer({ id: operation }: ContractOperation, { status, body }: Answer): Answer {
  // Nobody who is unknown holds a slot.
  if (operation === 'releaseSlot' && status === 404) return { status: 204 };
  const other = changed(body, (name, value) => {
    if (name === 'user_id') return value.toUpperCase();
    if (name === 'next_cursor') return BY_USER.has(operation) ? 'there is more' : otherCursor(value);
    if (name === 'message') return `Nein — ${value}`;
    return IDS.has(name) && operation !== 'getAgency' ? otherId(value) : value;
  });
  return { status, body: other };
}

/** A copy whose texts are changed by their member's name, without optional members that are null. */
const changed = (body: unknown, change: (name: string, value: string) => string): unknown => {
  if (body === undefined) return undefined;
  return JSON.parse(JSON.stringify(body), (name, value) => {
    if (value === null && ABSENT_IF_NULL.has(name)) return undefined;
    return typeof value === 'string' ? change(name, value) : value;
  });
};
