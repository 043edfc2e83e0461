import { Inject, Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { ApiKeyAccess, KeyUses } from '#agencies';
import type { Config } from '#configuration';
import { type AccessedRequest, clientAddressOf } from '#http';
import { type AgencyId, askingOnce, Clock, DocumentStore, DomainError, type Instant, MINUTE, SECOND } from '#kernel';
import { CONFIG } from '../../../../../service/src/tokens.js';
import { Admission } from './admission.js';
import { KeyFollower } from './key-follower.js';
import { KeyLookups } from './key-lookups.js';

/** The rest of the agency's minute, as in the `RateLimit-*` headers. */
interface Allowance {
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds until the next minute begins. */
  readonly reset: number;
  readonly isExceeded: boolean;
}

/** A fixed UTC minute for the agency account, over all its keys and all API processes (D10). */
class RateLimit {
  constructor(
    private readonly counters: Pick<DocumentStore, 'increment'>,
    /** Requests a minute; 0 for no limit. */
    private readonly perMinute: number,
  ) {}

  /** Counts one request with one increment. Undefined if there is no limit. */
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

const setRateLimitHeaders = (reply: FastifyReply, { limit, remaining, reset }: Allowance): void => {
  reply
    .header('ratelimit-limit', String(limit))
    .header('ratelimit-remaining', String(remaining))
    .header('ratelimit-reset', String(reset));
};

const removeRateLimitHeaders = (reply: FastifyReply): void => {
  for (const name of ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset']) reply.removeHeader(name);
};

const BEARER = /^Bearer +(\S+) *$/i;
const KEYED = '/v1/';

export const guard = (fastify: FastifyInstance, gate: () => ApiKeyGate): void => {
  fastify.addHook('onRequest', (request: AccessedRequest, reply, done) => {
    if (!request.routeOptions.url?.startsWith(KEYED)) return done();
    request.askingOnce = askingOnce();
    const admitted = request.askingOnce(() => gate().admit(request, reply));
    admitted.then(() => done(), done);
  });
  fastify.addHook('preHandler', (request: AccessedRequest, reply, done) => {
    const { isBodyLate, askingOnce: inRequest } = request;
    if (inRequest === undefined) return done();
    if (isBodyLate !== true) return inRequest(done);
    inRequest(() => gate().recheckKey(request, reply)).then(() => inRequest(done), done);
  });
};

/** The first two checks of D1, API key and rate limit. They run before the body is parsed. */
@Injectable()
export class ApiKeyGate {
  private readonly rateLimit: RateLimit;
  private readonly keys: KeyLookups;

  constructor(
    documents: DocumentStore,
    keys: ApiKeyAccess,
    follower: KeyFollower,
    private readonly keyUses: KeyUses,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Pick<Config, 'rateLimitPerMinute' | 'trustedProxies'>,
    private readonly admission: Admission,
  ) {
    this.rateLimit = new RateLimit(documents, config.rateLimitPerMinute);
    this.keys = new KeyLookups(keys, follower.known);
  }

  /** D10: a request with a valid key counts even if its route needs no key. */
  async count(request: AccessedRequest, reply: FastifyReply): Promise<void> {
    try {
      await this.admit(request, reply);
    } catch (error) {
      if (!(error instanceof DomainError && error.code === 'unauthorized')) throw error;
    }
  }

  /** Counts every request with a valid key, and puts the remaining allowance in the headers of the answer. */
  async admit(request: AccessedRequest, reply: FastifyReply): Promise<void> {
    const now = this.clock.now();
    const key = await this.authenticate(request, now);
    request.key = key;
    request.isBodyLate = !request.raw.complete;
    this.keyUses.note(key.keyId, now);
    const allowance = await this.rateLimit.count(key.agencyId, now);
    if (allowance === undefined) return;
    setRateLimitHeaders(reply, allowance);
    if (allowance.isExceeded) throw new DomainError('rate_limited', { retryAfterSeconds: allowance.reset });
  }

  checkHeaders(request: AccessedRequest): Promise<void> {
    return this.admission.checkHeaders(request);
  }

  /** D69: a client can delay its body until the key is revoked or has expired. The request is counted only once. */
  async recheckKey(request: AccessedRequest, reply: FastifyReply): Promise<void> {
    try {
      request.key = await this.authenticate(request, this.clock.now());
    } catch (error) {
      removeRateLimitHeaders(reply);
      throw error;
    }
  }

  private authenticate({ headers, raw }: AccessedRequest, now: Instant) {
    const { trustedProxies } = this.config;
    return this.keys.authenticate(bearerOf(headers.authorization), now, () => clientAddressOf(raw, trustedProxies));
  }
}

const bearerOf = (header: string | undefined): string => BEARER.exec(header ?? '')?.[1] ?? '';
