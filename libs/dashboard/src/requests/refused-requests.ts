import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  type AgencyId,
  type CollectionDefinition,
  type Document,
  DocumentStore,
  type ErrorCode,
  type Instant,
  type KeyId,
} from '#kernel';

/** The latest refused or failed requests of an agency; those of the last second may be missing. */
@Injectable()
export class RefusedRequests {
  constructor(private readonly documents: DocumentStore) {}

  /** At most 1,000, the newest first. */
  async latest(agencyId: AgencyId): Promise<RefusedRequest[]> {
    const batches = await this.documents.find<RefusedBatch>(REFUSED_REQUESTS.name, {
      index: 'agency',
      equals: [agencyId],
      order: 'descending',
      limit: REFUSED_KEPT,
    });
    return batches
      .flatMap(({ requests }) => requests.toReversed())
      .sort((one, other) => other.at - one.at)
      .slice(0, REFUSED_KEPT);
  }

  /** How many there were since a time, at most 1,000. */
  async countSince(agencyId: AgencyId, since: Instant): Promise<number> {
    const batches = await this.documents.findEntries<Document & Pick<RefusedBatch, 'count'>>(REFUSED_REQUESTS.name, {
      index: 'agency',
      equals: [agencyId],
      gte: since,
      limit: REFUSED_KEPT,
    });
    return Math.min(
      REFUSED_KEPT,
      batches.reduce((sum, { count }) => sum + count, 0),
    );
  }
}

interface RefusedGroup extends Pick<RefusedRequest, 'code' | 'route'> {
  readonly count: number;
  readonly lastAt: Instant;
}

/** By code and route, the most frequent first. */
export const refusedGroups = (requests: readonly RefusedRequest[]): RefusedGroup[] => {
  const groups = new Map<string, RefusedGroup>();
  for (const { code, route, at } of requests) {
    const { count, lastAt } = groups.get(`${code} ${route}`) ?? { count: 0, lastAt: at };
    groups.set(`${code} ${route}`, { code, route, count: count + 1, lastAt: Math.max(lastAt, at) });
  }
  return [...groups.values()].sort((one, other) => other.count - one.count || other.lastAt - one.lastAt);
};

/** A request that was refused or failed: its problems, without its values. */
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

/** Requests that one process has seen of an agency within about a second, the oldest first. */
export interface RefusedBatch extends Document {
  readonly agencyId: AgencyId;
  /** The time of the last one. */
  readonly at: Instant;
  readonly count: number;
  readonly requests: readonly RefusedRequest[];
}

/** Not a read model: the log has no requests. */
export const REFUSED_REQUESTS: CollectionDefinition = {
  name: 'refused_requests',
  indexes: [{ name: 'agency', fields: ['agencyId', 'at', 'count'] }],
};

/** The number of requests that are kept for an agency. */
export const REFUSED_KEPT = 1_000;
const BATCH_SIZE = 50;
/** Bounds the size of a request. */
const MAX_PROBLEMS = 5;
const MAX_RULE_LENGTH = 120;

export const publicRefusedRequest = ({ requestId, at, keyId, route, status, code, problems }: RefusedRequest) => ({
  request_id: requestId,
  at,
  key_id: keyId,
  route,
  status,
  code,
  problems,
});

/** Limits a request to 1 KB; most have some 250 bytes. */
export const bounded = (request: RefusedRequest): RefusedRequest => ({
  ...request,
  problems: request.problems
    .slice(0, MAX_PROBLEMS)
    .map(({ field, rule }) => ({ field, rule: rule.slice(0, MAX_RULE_LENGTH) })),
});

export const batchesOf = (agencyId: AgencyId, requests: readonly RefusedRequest[]): RefusedBatch[] => {
  const batches: RefusedBatch[] = [];
  for (let start = 0; start < requests.length; start += BATCH_SIZE) {
    const part = requests.slice(start, start + BATCH_SIZE);
    batches.push({ id: randomUUID(), agencyId, at: part.at(-1)?.at ?? 0, count: part.length, requests: part });
  }
  return batches;
};
