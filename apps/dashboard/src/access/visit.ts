import type { AgencyDescription } from '#agencies';
import type { OpenSession, Right, Role } from '#dashboard';
import type { AccessedRequest } from '#http';
import type { AgencyId, CommandContext, WorkspaceId } from '#kernel';

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
  /** What the platform and the log say of the agency. */
  readonly agency: AgencyDescription;
  readonly context: CommandContext;
}

export interface DashboardRequest extends AccessedRequest {
  signedIn?: SignedIn;
  /** The body was not complete when the session was checked. */
  isSessionLate?: boolean;
  visitor?: Visit;
}

/** The right that a route needs; `session` for those that any session may use, in no agency's name. */
export type RequiredRight = Right | 'session';

/** Of the route, for what decides before Nest does. */
export interface ConfiguredRight {
  readonly right?: RequiredRight;
}

export const REQUIRED_RIGHT = 'required-right';
