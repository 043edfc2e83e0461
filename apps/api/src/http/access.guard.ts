import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply } from 'fastify';
import { requirePresentEpoch, type Scope } from '#agencies';
import { type AgencyId, DomainError, type Instant, invalidRequest, Trail } from '#kernel';
import type { Services } from '../../../composition/src/index.js';
import { SERVICES } from '../tokens.js';
import { type AccessedRequest, OPEN_TO_ALL, REQUIRED_SCOPES } from './access.js';
import { allowanceHeaders, RateLimit, requireWithin } from './rate-limit.js';

const BEARER = /^Bearer +(\S+) *$/i;

/** D1: key, then allowance, then agency, then scope; only after that is the request looked at. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    @Inject(SERVICES) private readonly services: Services,
    private readonly rateLimit: RateLimit,
    private readonly reflector: Reflector,
  ) {}

  async canActivate(host: ExecutionContext): Promise<boolean> {
    if (this.reflector.get<true | undefined>(OPEN_TO_ALL, host.getHandler())) return true;
    const request = host.switchToHttp().getRequest<AccessedRequest>();
    const required = this.reflector.get<readonly Scope[]>(REQUIRED_SCOPES, host.getHandler());
    const { accounts, access, clock, keyUses } = this.services;

    const now = clock.now();
    const key = await accounts.authenticate(bearerOf(request.headers.authorization), now);
    await keyUses.note(key.keyId, now);
    await this.spend(key.agencyId, now, host.switchToHttp().getResponse<FastifyReply>());
    const agency = await access.verify(key.agencyId);
    requirePresentEpoch(agency.binding, key.epoch);
    if (!required.every((scope) => key.scopes.includes(scope))) throw new DomainError('forbidden');
    requireNoBody(request);

    const { agencyId, workspaceId } = key;
    request.access = {
      key,
      agency,
      scope: { agencyId, workspaceId, epoch: agency.binding.epoch },
      context: {
        actor: `key:${key.keyId}`,
        correlationId: request.id,
        causationId: null,
        workspaceId,
        trail: new Trail(),
      },
    };
    return true;
  }

  /** D10: whatever becomes of the request, it counts, and its answer says what is left. */
  private async spend(agencyId: AgencyId, now: Instant, reply: FastifyReply): Promise<void> {
    const counted = await this.rateLimit.count(agencyId, now);
    if (counted === undefined) return;
    reply.headers(allowanceHeaders(counted.allowance));
    requireWithin(counted.used, counted.allowance);
  }
}

const bearerOf = (header: string | undefined): string => BEARER.exec(header ?? '')?.[1] ?? '';

/** D8: GET and DELETE take no body. */
const requireNoBody = ({ method, headers }: AccessedRequest): void => {
  if (method !== 'GET' && method !== 'DELETE') return;
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  if (hasBody) throw invalidRequest({ field: 'body', message: 'must not be sent' });
};
