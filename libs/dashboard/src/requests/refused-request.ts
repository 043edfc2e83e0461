import { randomUUID } from 'node:crypto';
import type { AgencyId, CollectionDefinition, Document, ErrorCode, Instant, KeyId } from '#kernel';

/** A request that was refused or failed: what was wrong with it, and nothing of what it said. */
export interface RefusedRequest {
  readonly requestId: string;
  readonly at: Instant;
  readonly keyId: KeyId;
  /** The method and the template of the path. */
  readonly route: string;
  readonly status: number;
  readonly code: ErrorCode | null;
  /** Names of fields that the API knows, and the rules that they broke; never a value. */
  readonly problems: readonly { readonly field: string; readonly rule: string }[];
}

/** Those that one process has seen of an agency within about a second, the oldest first. */
export interface RefusedBatch extends Document {
  readonly agencyId: AgencyId;
  /** The time of the last one. */
  readonly at: Instant;
  readonly count: number;
  readonly requests: readonly RefusedRequest[];
}

/** No read model: the log does not know of requests. */
export const REFUSED_REQUESTS: CollectionDefinition = {
  name: 'refused_requests',
  indexes: [{ name: 'agency', fields: ['agencyId', 'at', 'count'] }],
};

/** How many are kept of an agency. */
export const REFUSED_KEPT = 1_000;
const BATCH_SIZE = 50;
/** More problems, or longer rules, than this of one request are not kept, so that its size has a bound. */
const MAX_PROBLEMS = 5;
const MAX_RULE_LENGTH = 120;

/** As people see it. */
export const publicRefusedRequest = ({ requestId, at, keyId, route, status, code, problems }: RefusedRequest) => ({
  request_id: requestId,
  at,
  key_id: keyId,
  route,
  status,
  code,
  problems,
});

/** Bounded in bytes: some 250 each, at most 1 KB. */
export const bounded = (request: RefusedRequest): RefusedRequest => ({
  ...request,
  problems: request.problems
    .slice(0, MAX_PROBLEMS)
    .map(({ field, rule }) => ({ field, rule: rule.slice(0, MAX_RULE_LENGTH) })),
});

/** The requests in documents of at most fifty. */
export const batchesOf = (agencyId: AgencyId, requests: readonly RefusedRequest[]): RefusedBatch[] => {
  const batches: RefusedBatch[] = [];
  for (let start = 0; start < requests.length; start += BATCH_SIZE) {
    const part = requests.slice(start, start + BATCH_SIZE);
    batches.push({ id: randomUUID(), agencyId, at: part.at(-1)?.at ?? 0, count: part.length, requests: part });
  }
  return batches;
};
