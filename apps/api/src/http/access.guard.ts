import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AgencyAccess, requirePresentEpoch, type Scope } from '#agencies';
import { ConsistencyToken, DomainError, invalidRequest } from '#kernel';
import { type AccessedRequest, PUBLIC_ROUTE, REQUIRED_SCOPES } from './access.js';
import { hasBody, takesBody } from './json-body.js';

/** D1: checks the agency of an admitted request, then the scope. The input is checked after that. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly agencies: AgencyAccess,
    private readonly reflector: Reflector,
  ) {}

  async canActivate(host: ExecutionContext): Promise<boolean> {
    if (this.reflector.get<true | undefined>(PUBLIC_ROUTE, host.getHandler())) return true;
    const request = host.switchToHttp().getRequest<AccessedRequest>();
    const required = this.reflector.get<readonly Scope[]>(REQUIRED_SCOPES, host.getHandler());
    const { key } = request;
    if (key === undefined) throw new DomainError('unauthorized');
    const agency = await this.agencies.verify(key.agencyId);
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
        consistencyToken: new ConsistencyToken(),
      },
    };
    return true;
  }
}

const requireNoBody = ({ method, headers }: AccessedRequest): void => {
  if (!takesBody(method) && hasBody(headers)) {
    throw invalidRequest({ field: 'body', message: 'must not be sent' });
  }
};
