import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AgencyAccess, requirePresentEpoch, type Scope } from '#agencies';
import { ConsistencyToken, DomainError, type FieldError, invalidRequest } from '#kernel';
import { queryProblems } from '../../validation/query-problems.js';
import { hasBody, takesBody } from '../json-body.js';
import { type AccessedRequest, PUBLIC_ROUTE, REQUIRED_SCOPES } from './access.js';

/** D1: checks the agency of an admitted request, the scope, and then that nothing is sent which the route does not take. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly agencies: AgencyAccess,
    private readonly reflector: Reflector,
  ) {}

  async canActivate(host: ExecutionContext): Promise<boolean> {
    const request = host.switchToHttp().getRequest<AccessedRequest>();
    if (!this.reflector.get<true | undefined>(PUBLIC_ROUTE, host.getHandler())) await this.admit(request, host);
    const problems = [...bodyProblems(request), ...queryProblems(host)];
    if (problems.length > 0) throw invalidRequest(...problems);
    return true;
  }

  private async admit(request: AccessedRequest, host: ExecutionContext): Promise<void> {
    const required = this.reflector.get<readonly Scope[]>(REQUIRED_SCOPES, host.getHandler());
    const { key } = request;
    if (key === undefined) throw new DomainError('unauthorized');
    const agency = await this.agencies.verify(key.agencyId);
    requirePresentEpoch(agency.binding, key.epoch);
    if (!required.every((scope) => key.scopes.includes(scope))) throw new DomainError('forbidden');

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
  }
}

/** D8. */
const bodyProblems = ({ method, headers }: AccessedRequest): FieldError[] =>
  !takesBody(method) && hasBody(headers) ? [{ field: 'body', message: 'must not be sent' }] : [];
