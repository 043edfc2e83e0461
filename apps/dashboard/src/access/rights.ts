import { applyDecorators, createParamDecorator, type ExecutionContext, SetMetadata, UseGuards } from '@nestjs/common';
import type { NativeAgency } from '#agencies';
import type { OpenSession, Right, Role } from '#dashboard';
import type { AgencyId, CommandContext, WorkspaceId } from '#kernel';
import { type AccessedRequest, Public } from '../../../api/src/http/transport/access/access.js';
import { DashboardGuard } from './dashboard.guard.js';

/** A valid session, and the agency that the request names. */
export interface SignedIn {
  readonly opened: OpenSession;
  /** `?agency=`; a person with a single agency need not name it. */
  readonly chosen: AgencyId | undefined;
}

/** What a person does for one agency: who they are there, and the context of all events that the request records. */
export interface Visit {
  readonly opened: OpenSession;
  readonly role: Role;
  readonly agencyId: AgencyId;
  readonly workspaceId: WorkspaceId;
  /** The platform's record; undefined if it knows no such agency, or cannot be asked. */
  readonly native: NativeAgency | undefined;
  readonly context: CommandContext;
}

export interface DashboardRequest extends AccessedRequest {
  signedIn?: SignedIn;
  /** The body was not complete when the session was checked. */
  isSessionLate?: boolean;
  visit?: Visit;
}

/** The right that a route needs; `session` for those that any session may use, in no agency's name. */
export type RequiredRight = Right | 'session';

export const REQUIRED_RIGHT = 'required-right';

/** Declares a route of the dashboard. One without it needs an API key, which nobody has there. */
export const Rights = (right: RequiredRight): MethodDecorator =>
  applyDecorators(Public(), SetMetadata(REQUIRED_RIGHT, right), UseGuards(DashboardGuard));

/** The person and the agency, as the guard has found them. */
export const Visitor = createParamDecorator((_: unknown, host: ExecutionContext): Visit => {
  const { visit } = host.switchToHttp().getRequest<DashboardRequest>();
  if (visit === undefined) throw new Error('the route has no agency');
  return visit;
});

export const Session = createParamDecorator((_: unknown, host: ExecutionContext): SignedIn => {
  const { signedIn } = host.switchToHttp().getRequest<DashboardRequest>();
  if (signedIn === undefined) throw new Error('the route is not guarded');
  return signedIn;
});
