import type { ExecutionContext } from '@nestjs/common';
import { applyDecorators, type CanActivate, Get, Injectable, UseGuards, UseInterceptors } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { GuardedApart, refuseUnknownInput } from '#http';
import { DomainError } from '#kernel';
import { ReadInTurn } from './dashboard-reads.js';
import { type DashboardRequest, type RequiredRight, rightOf } from './dashboard-session.js';
import { DashboardSessions } from './dashboard-sessions.js';
import { SessionGate } from './session-gate.js';

/** Checks the agency of the request, and whether the person's role in it has the route's right. */
@Injectable()
export class DashboardGuard implements CanActivate {
  constructor(
    private readonly gate: SessionGate,
    private readonly sessions: DashboardSessions,
  ) {}

  async canActivate(host: ExecutionContext): Promise<boolean> {
    const request = host.switchToHttp().getRequest<DashboardRequest>();
    const right = rightOf(request);
    // D69: a client can delay its body until the session has ended.
    if (request.isSessionLate === true) request.signedIn = await this.gate.open(request);
    if (request.signedIn === undefined || right === undefined) throw new DomainError('session_required');
    if (right !== 'session') {
      request.currentUser = await this.sessions.withRight(right, request.signedIn, request.id);
    }
    refuseUnknownInput(host);
    return true;
  }
}

/** Declares a route of the dashboard. A route without it needs an API key, which nobody has there. */
export const Rights = (right: RequiredRight): MethodDecorator =>
  applyDecorators(
    GuardedApart(),
    RouteConfig({ right }),
    UseGuards(DashboardGuard),
    ...(right === 'read' ? [UseInterceptors(ReadInTurn)] : []),
  );

export const Read = (path = ''): MethodDecorator => applyDecorators(Get(path), Rights('read'));
