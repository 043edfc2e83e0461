import { Inject, Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { AgencyAccounts, KeyUses } from '#agencies';
import type { Config } from '#configuration';
import { Clock, DocumentStore, DomainError, type Instant } from '#kernel';
import { CONFIG } from '../../../service/src/tokens.js';
import type { AccessedRequest } from './access.js';
import { clientAddressOf } from './client-address.js';
import { KeyFollower } from './key-follower.js';
import { KeyLookups } from './key-lookups.js';
import { RateLimit, requireWithin, tellAllowance, withoutAllowance } from './rate-limit.js';

const BEARER = /^Bearer +(\S+) *$/i;
const KEYED = '/v1/';

/** Asks every route under `/v1` for a key. */
export const guard = (fastify: FastifyInstance, admission: () => Admission): void => {
  fastify.addHook('onRequest', (request, reply, done) => {
    if (!request.routeOptions.url?.startsWith(KEYED)) return done();
    admission()
      .admit(request, reply)
      .then(() => done(), done);
  });
  // The body is there now.
  fastify.addHook('preHandler', (request: AccessedRequest, reply, done) => {
    if (request.isBodyLate !== true) return done();
    admission()
      .admitAgain(request, reply)
      .then(() => done(), done);
  });
};

/** The first two checks of D1, key and allowance, which a request has behind it before anything is made of its body. */
@Injectable()
export class Admission {
  private readonly rateLimit: RateLimit;
  private readonly keys: KeyLookups;

  constructor(
    documents: DocumentStore,
    accounts: AgencyAccounts,
    follower: KeyFollower,
    private readonly keyUses: KeyUses,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    this.rateLimit = new RateLimit(documents, config.rateLimitPerMinute);
    this.keys = new KeyLookups(accounts, follower.known);
  }

  /** D10: a request with a valid key counts also where there is nothing that would ask for one. */
  async count(request: AccessedRequest, reply: FastifyReply): Promise<void> {
    try {
      await this.admit(request, reply);
    } catch (error) {
      if (!(error instanceof DomainError && error.code === 'unauthorized')) throw error;
    }
  }

  /** Every request with a valid key counts, and its answer says what is left. */
  async admit(request: AccessedRequest, reply: FastifyReply): Promise<void> {
    const now = this.clock.now();
    const key = await this.authenticate(request, now);
    request.key = key;
    request.isBodyLate = !request.raw.complete;
    await this.keyUses.note(key.keyId, now);
    const counted = await this.rateLimit.count(key.agencyId, now);
    if (counted === undefined) return;
    tellAllowance(reply, counted.allowance);
    requireWithin(counted.used, counted.allowance);
  }

  /** D69: a client can hold back its body until the key has been revoked or has expired. It was counted before. */
  async admitAgain(request: AccessedRequest, reply: FastifyReply): Promise<void> {
    try {
      request.key = await this.authenticate(request, this.clock.now());
    } catch (error) {
      withoutAllowance(reply);
      throw error;
    }
  }

  private authenticate({ headers, raw }: AccessedRequest, now: Instant) {
    const { trustedProxies } = this.config;
    return this.keys.authenticate(bearerOf(headers.authorization), now, () => clientAddressOf(raw, trustedProxies));
  }
}

const bearerOf = (header: string | undefined): string => BEARER.exec(header ?? '')?.[1] ?? '';
