import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Scope } from '#agencies';
import { type AccessedRequest, PUBLIC_ROUTE, type PublicRoute, REQUIRED_SCOPES, refuseUnknownInput } from '#http';
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
