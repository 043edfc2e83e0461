import {
  applyDecorators,
  createParamDecorator,
  type ExecutionContext,
  Get,
  SetMetadata,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { GuardedApart } from '#http';
import { DashboardGuard } from './dashboard.guard.js';
import { ReadInTurn } from './dashboard-reads.js';
import {
  type ConfiguredRight,
  type DashboardRequest,
  REQUIRED_RIGHT,
  type RequiredRight,
  type SignedIn,
  type Visit,
} from './visit.js';

/** Declares a route of the dashboard. One without it needs an API key, which nobody has there. */
export const Rights = (right: RequiredRight): MethodDecorator =>
  applyDecorators(
    GuardedApart(),
    SetMetadata(REQUIRED_RIGHT, right),
    RouteConfig({ right } satisfies ConfiguredRight),
    UseGuards(DashboardGuard),
    ...(right === 'read' ? [UseInterceptors(ReadInTurn)] : []),
  );

/** A part of what the pages show of an agency. */
export const Read = (path = ''): MethodDecorator => applyDecorators(Get(path), Rights('read'));

/** The person and the agency, as the guard has found them. */
export const Visitor = createParamDecorator((_: unknown, host: ExecutionContext): Visit => {
  const { visitor } = host.switchToHttp().getRequest<DashboardRequest>();
  if (visitor === undefined) throw new Error('the route has no agency');
  return visitor;
});

export const Session = createParamDecorator((_: unknown, host: ExecutionContext): SignedIn => {
  const { signedIn } = host.switchToHttp().getRequest<DashboardRequest>();
  if (signedIn === undefined) throw new Error('the route is not guarded');
  return signedIn;
});
