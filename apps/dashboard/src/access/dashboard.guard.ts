import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { refuseUnknownInput } from '#http';
import { DomainError } from '#kernel';
import { SessionGate } from './session-gate.js';
import { type DashboardRequest, REQUIRED_RIGHT, type RequiredRight } from './visit.js';
import { Visits } from './visits.js';

/** Checks the agency that the request is about, and whether the person's role in it has the route's right. */
@Injectable()
export class DashboardGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly gate: SessionGate,
    private readonly visits: Visits,
  ) {}

  async canActivate(host: ExecutionContext): Promise<boolean> {
    const request = host.switchToHttp().getRequest<DashboardRequest>();
    const right = this.reflector.get<RequiredRight>(REQUIRED_RIGHT, host.getHandler());
    // D69: a client can delay its body until the session has ended.
    if (request.isSessionLate === true) request.signedIn = await this.gate.open(request);
    if (request.signedIn === undefined) throw new DomainError('session_required');
    if (right !== 'session') {
      request.visitor = await this.visits.withRight(right, request.signedIn, request.id);
    }
    refuseUnknownInput(host);
    return true;
  }
}
