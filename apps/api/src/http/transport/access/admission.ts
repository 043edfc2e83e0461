import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AgencyAccess, requirePresentEpoch, type Scope } from '#agencies';
import {
  type Access,
  type AccessedRequest,
  PUBLIC_ROUTE,
  type PublicRoute,
  REQUIRED_SCOPES,
  refuseUnknownInput,
} from '#http';
import { ConsistencyToken, DomainError } from '#kernel';
import { idempotencyKeyOf } from '../idempotency-key.js';

export interface RequiredHeaders {
  readonly scopes: readonly Scope[];
  readonly hasIdempotencyKey: boolean;
}

/** D1: the checks that run after the rate limit and before the body is read. */
@Injectable()
export class Admission {
  constructor(private readonly agencies: AgencyAccess) {}

  async admit({ key, id }: AccessedRequest, scopes: readonly Scope[]): Promise<Access> {
    if (key === undefined) throw new DomainError('unauthorized');
    const agency = await this.agencies.verify(key.agencyId);
    requirePresentEpoch(agency.binding, key.epoch);
    if (!scopes.every((scope) => key.scopes.includes(scope))) throw new DomainError('forbidden');
    const { agencyId, workspaceId } = key;
    return {
      key,
      agency,
      scope: { agencyId, workspaceId, epoch: agency.binding.epoch },
      context: {
        actor: `key:${key.keyId}`,
        correlationId: id,
        causationId: null,
        workspaceId,
        consistencyToken: new ConsistencyToken(),
      },
    };
  }

  /** D99: a client that waits for 100 Continue sends no body that its headers already refuse. */
  async checkHeaders(request: AccessedRequest): Promise<void> {
    const { required } = request.routeOptions.config as { readonly required?: RequiredHeaders };
    if (required === undefined) {
      await request.checkHeaders?.();
      return;
    }
    await this.admit(request, required.scopes);
    if (required.hasIdempotencyKey) idempotencyKeyOf(request.raw);
  }
}

/** D1: checks the agency of an admitted request, the scope, and that it has nothing that the route does not take. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly admission: Admission,
    private readonly reflector: Reflector,
  ) {}

  async canActivate(host: ExecutionContext): Promise<boolean> {
    const request = host.switchToHttp().getRequest<AccessedRequest>();
    const route = this.reflector.get<PublicRoute | undefined>(PUBLIC_ROUTE, host.getHandler());
    if (route === 'guarded_apart') return true;
    if (route === undefined) {
      const scopes = this.reflector.get<readonly Scope[]>(REQUIRED_SCOPES, host.getHandler());
      request.access = await this.admission.admit(request, scopes);
    }
    refuseUnknownInput(host);
    return true;
  }
}
