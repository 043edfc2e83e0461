import type { FastifyInstance, FastifyReply } from 'fastify';
import { DomainError } from '#kernel';
import type { Services } from '../../../composition/src/index.js';
import type { AccessedRequest } from './access.js';
import { RateLimit, requireWithin, tellAllowance } from './rate-limit.js';

const BEARER = /^Bearer +(\S+) *$/i;
const KEYED = '/v1/';

/** The first two checks of D1, key and allowance, which a request has behind it before anything is made of its body. */
export class Admission {
  private readonly rateLimit: RateLimit;

  constructor(private readonly services: Services) {
    this.rateLimit = new RateLimit(services.documents, services.config.rateLimitPerMinute);
  }

  /** Asks every route under `/v1` for a key. */
  guard(fastify: FastifyInstance): void {
    fastify.addHook('onRequest', (request, reply, done) => {
      if (!request.routeOptions.url?.startsWith(KEYED)) return done();
      this.admit(request, reply).then(() => done(), done);
    });
  }

  /** D10: a request with a valid key counts also where there is nothing that would ask for one. */
  async count(request: AccessedRequest, reply: FastifyReply): Promise<void> {
    try {
      await this.admit(request, reply);
    } catch (error) {
      if (!(error instanceof DomainError && error.code === 'unauthorized')) throw error;
    }
  }

  /** Whatever becomes of the request, it counts, and its answer says what is left. */
  private async admit(request: AccessedRequest, reply: FastifyReply): Promise<void> {
    const { accounts, clock, keyUses } = this.services;
    const now = clock.now();
    const key = await accounts.authenticate(bearerOf(request.headers.authorization), now);
    request.key = key;
    await keyUses.note(key.keyId, now);
    const counted = await this.rateLimit.count(key.agencyId, now);
    if (counted === undefined) return;
    tellAllowance(reply, counted.allowance);
    requireWithin(counted.used, counted.allowance);
  }
}

const bearerOf = (header: string | undefined): string => BEARER.exec(header ?? '')?.[1] ?? '';
