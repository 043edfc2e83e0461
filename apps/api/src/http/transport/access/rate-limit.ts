import type { FastifyReply } from 'fastify';
import { type AgencyId, type DocumentStore, DomainError, type Instant, MINUTE, SECOND } from '#kernel';

/** The rest of an agency's minute, as in the `RateLimit-*` headers. */
export interface Allowance {
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds until the next minute begins. */
  readonly reset: number;
}

/** A fixed UTC minute for the agency account, over all its keys and all API processes (D10). */
export class RateLimit {
  constructor(
    private readonly counters: Pick<DocumentStore, 'increment'>,
    /** Requests a minute; 0 for no limit. */
    private readonly perMinute: number,
  ) {}

  /** Counts one request, with one increment. Undefined if there is no limit. */
  async count(agencyId: AgencyId, now: Instant): Promise<{ used: number; allowance: Allowance } | undefined> {
    if (this.perMinute === 0) return undefined;
    const minute = Math.floor(now / MINUTE);
    const end = (minute + 1) * MINUTE;
    const used = await this.counters.increment(`requests:${agencyId}:${minute}`, 1, end);
    const remaining = Math.max(0, this.perMinute - used);
    return { used, allowance: { limit: this.perMinute, remaining, reset: Math.ceil((end - now) / SECOND) } };
  }
}

export const setRateLimitHeaders = (reply: FastifyReply, { limit, remaining, reset }: Allowance): void => {
  reply
    .header('ratelimit-limit', String(limit))
    .header('ratelimit-remaining', String(remaining))
    .header('ratelimit-reset', String(reset));
};

export const removeRateLimitHeaders = (reply: FastifyReply): void => {
  for (const name of ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset']) reply.removeHeader(name);
};

export const assertWithinLimit = (used: number, { limit, reset }: Allowance): void => {
  if (used > limit) throw new DomainError('rate_limited', { retryAfterSeconds: reset });
};
