import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Scope } from '#agencies';
import { type FieldError, invalidRequest } from '#kernel';
import { queryProblems } from '../../validation/query-problems.js';
import { hasBody, takesBody } from '../json-body.js';
import { type AccessedRequest, PUBLIC_ROUTE, REQUIRED_SCOPES } from './access.js';
import { Admission } from './admission.js';

/** D1: checks the agency of an admitted request, the scope, and then that nothing is sent which the route does not take. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly admission: Admission,
    private readonly reflector: Reflector,
  ) {}

  async canActivate(host: ExecutionContext): Promise<boolean> {
    const request = host.switchToHttp().getRequest<AccessedRequest>();
    if (!this.reflector.get<true | undefined>(PUBLIC_ROUTE, host.getHandler())) {
      const scopes = this.reflector.get<readonly Scope[]>(REQUIRED_SCOPES, host.getHandler());
      request.access = await this.admission.admit(request, scopes);
    }
    const problems = [...bodyProblems(request), ...queryProblems(host)];
    if (problems.length > 0) throw invalidRequest(...problems);
    return true;
  }
}

/** D8. */
const bodyProblems = ({ method, headers }: AccessedRequest): FieldError[] =>
  !takesBody(method) && hasBody(headers) ? [{ field: 'body', message: 'must not be sent' }] : [];
