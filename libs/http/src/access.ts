import { createParamDecorator, type ExecutionContext, SetMetadata } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { IssuedKey, Scope, VerifiedAgency } from '#agencies';
import type { AgencyScope } from '#creators';
import type { AgencyId, askingOnce, CommandContext, DomainError } from '#kernel';

/** The caller, and the context of all events that the request records. */
export interface Access {
  readonly key: IssuedKey;
  readonly agency: VerifiedAgency;
  readonly scope: AgencyScope;
  readonly context: CommandContext;
}

export interface AccessedRequest extends FastifyRequest {
  key?: IssuedKey;
  /** Runs its parts: the context is lost when the body arrives. */
  askingOnce?: ReturnType<typeof askingOnce>;
  /** The body was not complete when the key was checked. */
  isBodyLate?: boolean;
  access?: Access;
  /** The person of a dashboard session, and the agency of the request. */
  currentUser?: { readonly agencyId: AgencyId; readonly context: CommandContext };
  /** For a route that needs no key: what its headers decide, for a client that waits for 100 Continue (D99). */
  checkHeaders?: () => Promise<unknown>;
  /** Why it was refused. */
  refusal?: DomainError;
}

export const REQUIRED_SCOPES = 'required-scopes';

/** The scopes that a route needs, all of them; if empty, any valid key is enough. */
export const RequireScopes = (...scopes: Scope[]) => SetMetadata(REQUIRED_SCOPES, scopes);

/** Marks a route that needs no key, and shows no data of an agency. */
export const PUBLIC_ROUTE = 'public-route';
export const Public = () => SetMetadata(PUBLIC_ROUTE, 'open' satisfies PublicRoute);
/** Needs no key either: another guard decides, and refuses unknown input after that (D1). */
export const GuardedApart = () => SetMetadata(PUBLIC_ROUTE, 'guarded_apart' satisfies PublicRoute);
export type PublicRoute = 'open' | 'guarded_apart';

export const Caller = createParamDecorator((_: unknown, host: ExecutionContext): Access => {
  const { access } = host.switchToHttp().getRequest<AccessedRequest>();
  if (access === undefined) throw new Error('the route is not guarded');
  return access;
});
