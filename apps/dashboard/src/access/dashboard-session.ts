import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { AgencyDescription } from '#agencies';
import type { OpenSession, Right, Role } from '#dashboard';
import type { AccessedRequest } from '#http';
import type { AgencyId, CommandContext, WorkspaceId } from '#kernel';

/** A valid session, and the agency that the request names. */
export interface SignedIn {
  readonly opened: OpenSession;
  /** `?agency=`, which a person with a single agency need not name. */
  readonly chosen: AgencyId | undefined;
}

/** A person's session in one agency: their role there, and the context of the events that the request records. */
export interface DashboardSession {
  readonly opened: OpenSession;
  readonly role: Role;
  readonly agencyId: AgencyId;
  readonly workspaceId: WorkspaceId;
  readonly agency: AgencyDescription;
  readonly context: CommandContext;
}

export interface DashboardRequest extends AccessedRequest {
  signedIn?: SignedIn;
  /** The body was not complete when the session was checked. */
  isSessionLate?: boolean;
  currentUser?: DashboardSession;
}

/** The right that a route needs. `session` is for any session, without an agency. */
export type RequiredRight = Right | 'session';

export const rightOf = ({ routeOptions }: DashboardRequest): RequiredRight | undefined =>
  (routeOptions.config as { readonly right?: RequiredRight }).right;

export const CurrentUser = createParamDecorator((_: unknown, host: ExecutionContext): DashboardSession => {
  const { currentUser } = host.switchToHttp().getRequest<DashboardRequest>();
  if (currentUser === undefined) throw new Error('the route has no agency');
  return currentUser;
});
