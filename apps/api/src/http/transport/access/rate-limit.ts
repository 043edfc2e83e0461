import type { FastifyReply } from 'fastify';
import { type AgencyId, type DocumentStore, type Instant, MINUTE, SECOND } from '#kernel';

/** The rest of an agency's minute, as in the `RateLimit-*` headers. */
interface Allowance {
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds until the next minute begins. */
  readonly reset: number;
  readonly isExceeded: boolean;
}

/** A fixed UTC minute for the agency account, over all its keys and all API processes (D10). */
export class RateLimit {
  constructor(
    private readonly counters: Pick<DocumentStore, 'increment'>,
    /** Requests a minute; 0 for no limit. */
    private readonly perMinute: number,
  ) {}

  /** Counts one request, with one increment. Undefined if there is no limit. */
  async count(agencyId: AgencyId, now: Instant): Promise<Allowance | undefined> {
    const limit = this.perMinute;
    if (limit === 0) return undefined;
    const minute = Math.floor(now / MINUTE);
    const end = (minute + 1) * MINUTE;
    const used = await this.counters.increment(`requests:${agencyId}:${minute}`, 1, end);
    const reset = Math.ceil((end - now) / SECOND);
    return { limit, remaining: Math.max(0, limit - used), reset, isExceeded: used > limit };
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
